import Consent

/// Decisions and their reasons in words.
struct DecisionWords: Sendable {
    let tracked: String
    let untracked: String
    /// Short, as the name of a row.
    let name: @Sendable (DecisionReason) -> String
    /// Why, in one sentence.
    let sentence: @Sendable (DecisionReason) -> String
    let enforcement: @Sendable (Enforcement) -> String

    func outcome(_ reason: DecisionReason) -> String { reason.outcome == .tracked ? tracked : untracked }

    static let all = Wording(
        english: DecisionWords(
            tracked: "Tracked", untracked: "Not tracked",
            name: { reason in
                switch reason {
                case .consentGiven: "Consent given"
                case .notOptedOut: "Not opted out"
                case .noConsentRecord: "No consent recorded"
                case .consentExpired: "Consent expired"
                case .consentRefused: "Consent refused"
                case .consentWithdrawn: "Consent withdrawn"
                case .consentRevoked: "Consent revoked"
                case .consentInvalidated: "Consent invalid"
                case .recipientErased: "Person erased"
                case .trackingOffForMessage: "Tracking off for the message"
                }
            },
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
                    "Not tracked because the message asks that nobody be tracked, whatever they consented to."
                }
            },
            enforcement: { enforcement in
                switch enforcement {
                case .restrictive: "restrictive: only people who said yes are tracked"
                case .nonRestrictive: "non-restrictive: everybody is tracked but those who said no"
                }
            }),
        german: DecisionWords(
            tracked: "Gemessen", untracked: "Nicht gemessen",
            name: { reason in
                switch reason {
                case .consentGiven: "Einwilligung erteilt"
                case .notOptedOut: "Nicht widersprochen"
                case .noConsentRecord: "Keine Einwilligung erfasst"
                case .consentExpired: "Einwilligung abgelaufen"
                case .consentRefused: "Einwilligung verweigert"
                case .consentWithdrawn: "Einwilligung widerrufen"
                case .consentRevoked: "Einwilligung entzogen"
                case .consentInvalidated: "Einwilligung unwirksam"
                case .recipientErased: "Person gelöscht"
                case .trackingOffForMessage: "Messung für die Nachricht aus"
                }
            },
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
                case .consentRevoked: "Nicht gemessen, weil jemand anderes die Einwilligung entzogen hatte."
                case .consentInvalidated: "Nicht gemessen, weil die Einwilligung für unwirksam befunden war."
                case .recipientErased:
                    "Nicht gemessen, weil die Person gelöscht war und seither nicht eingewilligt hatte."
                case .trackingOffForMessage:
                    "Nicht gemessen, weil die Nachricht niemanden messen lässt, was auch immer jemand erlaubt hat."
                }
            },
            enforcement: { enforcement in
                switch enforcement {
                case .restrictive: "streng: nur wer Ja sagte, wird gemessen"
                case .nonRestrictive: "nicht streng: alle werden gemessen außer denen, die Nein sagten"
                }
            }))
}
