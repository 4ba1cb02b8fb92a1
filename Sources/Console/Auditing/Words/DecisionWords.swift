import Consent

/// Decisions and their reasons in words.
struct DecisionWords: Sendable {
    let tracked: String
    let untracked: String
    let states: StateWords
    let notOptedOut: String
    let noConsentRecord: String
    let recipientErased: String
    let trackingOffForMessage: String
    /// The reason, in one sentence.
    let sentence: @Sendable (DecisionReason) -> String
    let enforcement: @Sendable (Enforcement) -> String

    func outcome(_ reason: DecisionReason) -> String { reason.outcome == .tracked ? tracked : untracked }

    func outcomeCell(_ reason: DecisionReason) -> ConsoleTable.Cell {
        .state(
            outcome(reason), code: reason.outcome.rawValue, tone: reason.outcome == .tracked ? .good : .neutral)
    }

    /// A short name, for a row.
    func name(_ reason: DecisionReason) -> String {
        switch reason {
        case .consentGiven: states.given
        case .notOptedOut: notOptedOut
        case .noConsentRecord: noConsentRecord
        case .consentExpired: states.expired
        case .consentRefused: states.refused
        case .consentWithdrawn: states.withdrawn
        case .consentRevoked: states.revoked
        case .consentInvalidated: states.invalidated
        case .recipientErased: recipientErased
        case .trackingOffForMessage: trackingOffForMessage
        }
    }

    static let all = Wording(
        english: DecisionWords(
            tracked: "Tracked", untracked: "Not tracked", states: StateWords.all.english,
            notOptedOut: "Not opted out", noConsentRecord: "No consent recorded", recipientErased: "Person erased",
            trackingOffForMessage: "Tracking off for the message",
            sentence: { reason in
                switch reason {
                case .consentGiven: "Tracked because the person had given consent, and it was in force."
                case .notOptedOut:
                    "Tracked because the person had not said no, which is enough under the organization’s rule of that time."
                case .noConsentRecord:
                    "Not tracked because the person had said nothing, and the organization’s rule asks for a yes."
                case .consentExpired:
                    "Not tracked because the person’s consent had run out, and the organization’s rule asks for one in force."
                case .consentRefused: "Not tracked because the person had refused. A no always counts."
                case .consentWithdrawn:
                    "Not tracked because the person had withdrawn their consent. A no always counts."
                case .consentRevoked: "Not tracked because the consent had been revoked by another party."
                case .consentInvalidated: "Not tracked because the consent had been found invalid."
                case .recipientErased: "Not tracked because the person had been erased and had given no consent since."
                case .trackingOffForMessage:
                    "Not tracked because tracking is switched off for the message, with or without consent."
                }
            },
            enforcement: { enforcement in
                switch enforcement {
                case .restrictive: "restrictive: only people who said yes are tracked"
                case .nonRestrictive: "non-restrictive: all people are tracked except those who said no"
                }
            }),
        german: DecisionWords(
            tracked: "Gemessen", untracked: "Nicht gemessen", states: StateWords.all.german,
            notOptedOut: "Nicht widersprochen", noConsentRecord: "Keine Einwilligung erfasst",
            recipientErased: "Person gelöscht", trackingOffForMessage: "Messung für die Nachricht aus",
            sentence: { reason in
                switch reason {
                case .consentGiven: "Gemessen, weil die Person eingewilligt hatte und die Einwilligung galt."
                case .notOptedOut:
                    "Gemessen, weil die Person nicht Nein gesagt hatte; das genügte nach der damaligen Regel der Organisation."
                case .noConsentRecord:
                    "Nicht gemessen, weil die Person nichts gesagt hatte und die Regel der Organisation ein Ja verlangt."
                case .consentExpired:
                    "Nicht gemessen, weil die Einwilligung abgelaufen war und die Regel der Organisation eine gültige verlangt."
                case .consentRefused: "Nicht gemessen, weil die Person abgelehnt hatte. Ein Nein gilt immer."
                case .consentWithdrawn:
                    "Nicht gemessen, weil die Person ihre Einwilligung widerrufen hatte. Ein Nein gilt immer."
                case .consentRevoked: "Nicht gemessen, weil die Einwilligung von anderer Seite aufgehoben war."
                case .consentInvalidated: "Nicht gemessen, weil die Einwilligung für ungültig befunden war."
                case .recipientErased:
                    "Nicht gemessen, weil die Person gelöscht war und seither nicht eingewilligt hatte."
                case .trackingOffForMessage:
                    "Nicht gemessen, weil die Messung für die Nachricht aus ist, auch für die, die eingewilligt haben."
                }
            },
            enforcement: { enforcement in
                switch enforcement {
                case .restrictive: "streng: nur wer Ja sagte, wird gemessen"
                case .nonRestrictive: "nicht streng: alle werden gemessen außer denen, die Nein sagten"
                }
            }))
}
