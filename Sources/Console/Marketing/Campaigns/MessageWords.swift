import Consent
import Interactions

/// The names of counts.
struct MessageWords: Sendable {
    let reasons: [DecisionReason: String]
    let kinds: [InteractionKind: String]
    let visitors: [VisitorClass: String]

    func name(of reason: DecisionReason) -> String { reasons[reason] ?? reason.rawValue }
    func name(of kind: InteractionKind) -> String { kinds[kind] ?? kind.rawValue }
    func name(of visitor: VisitorClass) -> String { visitors[visitor] ?? visitor.rawValue }

    static let all = Wording(
        english: MessageWords(
            reasons: [
                .consentGiven: "Tracked: consent given", .notOptedOut: "Tracked: did not opt out",
                .noConsentRecord: "Not tracked: not asked, or no answer",
                .consentExpired: "Not tracked: consent expired", .consentRefused: "Not tracked: refused",
                .consentWithdrawn: "Not tracked: consent withdrawn",
                .consentRevoked: "Not tracked: consent revoked by another party",
                .consentInvalidated: "Not tracked: consent invalid", .recipientErased: "Not tracked: erased",
                .trackingOffForMessage: "Not tracked: tracking is off for this message",
            ],
            kinds: [
                .pushLinkClicked: "Link followed", .pushNotificationClicked: "Notification tapped",
                .pushNotificationOpened: "Notification opened", .pushNotificationReceived: "Notification received",
                .messageOpened: "Message opened",
            ],
            visitors: [.person: "By people", .cannotTell: "By a person or a machine", .machine: "By machines"]),
        german: MessageWords(
            reasons: [
                .consentGiven: "Gemessen: eingewilligt", .notOptedOut: "Gemessen: nicht widersprochen",
                .noConsentRecord: "Nicht gemessen: nicht gefragt oder keine Antwort",
                .consentExpired: "Nicht gemessen: abgelaufen", .consentRefused: "Nicht gemessen: abgelehnt",
                .consentWithdrawn: "Nicht gemessen: widerrufen",
                .consentRevoked: "Nicht gemessen: von anderer Seite aufgehoben",
                .consentInvalidated: "Nicht gemessen: ungültig", .recipientErased: "Nicht gemessen: gelöscht",
                .trackingOffForMessage: "Nicht gemessen: Messung ist für diese Nachricht aus",
            ],
            kinds: [
                .pushLinkClicked: "Link geöffnet", .pushNotificationClicked: "Mitteilung angetippt",
                .pushNotificationOpened: "Mitteilung geöffnet", .pushNotificationReceived: "Mitteilung empfangen",
                .messageOpened: "Nachricht geöffnet",
            ],
            visitors: [
                .person: "Von Menschen", .cannotTell: "Von einem Menschen oder einer Maschine",
                .machine: "Von Maschinen",
            ]))
}
