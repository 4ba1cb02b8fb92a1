import Consent
import Interactions

/// Requests and interactions in words.
struct RecordWords: Sendable {
    let request: @Sendable (ConsentRequest.State) -> String
    let interaction: @Sendable (InteractionKind) -> String
    let visitor: @Sendable (VisitorClass) -> String

    static let all = Wording(
        english: RecordWords(
            request: { state in
                switch state {
                case .erased: "erased"
                case .awaitingConfirmation: "a yes waits for its confirmation"
                case .open: "open"
                case .answered: "answered"
                case .superseded: "replaced by something later"
                case .expired: "expired without an answer"
                }
            },
            interaction: { kind in
                switch kind {
                case .pushLinkClicked: "Followed a link"
                case .pushNotificationClicked: "Tapped a notification"
                case .pushNotificationOpened: "Opened a notification"
                case .pushNotificationReceived: "A notification arrived"
                case .messageOpened: "Opened a message"
                }
            },
            visitor: { visitor in
                switch visitor {
                case .person: "by a person"
                case .machine: "by a machine"
                case .cannotTell: "by a person or a machine: it cannot be told"
                }
            }),
        german: RecordWords(
            request: { state in
                switch state {
                case .erased: "gelöscht"
                case .awaitingConfirmation: "ein Ja wartet auf seine Bestätigung"
                case .open: "offen"
                case .answered: "beantwortet"
                case .superseded: "durch Späteres ersetzt"
                case .expired: "ohne Antwort abgelaufen"
                }
            },
            interaction: { kind in
                switch kind {
                case .pushLinkClicked: "Folgte einem Link"
                case .pushNotificationClicked: "Tippte auf eine Mitteilung"
                case .pushNotificationOpened: "Öffnete eine Mitteilung"
                case .pushNotificationReceived: "Eine Mitteilung kam an"
                case .messageOpened: "Öffnete eine Nachricht"
                }
            },
            visitor: { visitor in
                switch visitor {
                case .person: "von einem Menschen"
                case .machine: "von einer Maschine"
                case .cannotTell: "von Mensch oder Maschine: nicht zu unterscheiden"
                }
            }))
}
