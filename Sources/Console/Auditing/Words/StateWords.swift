import Consent

/// One name for each state of a consent, wherever the auditors' pages show it.
struct StateWords: Sendable {
    let given: String
    let refused: String
    let withdrawn: String
    let revoked: String
    let invalidated: String
    let expired: String

    func name(of state: ConsentState) -> String {
        switch state {
        case .given: given
        case .refused: refused
        case .withdrawn: withdrawn
        case .revoked: revoked
        case .invalidated: invalidated
        }
    }

    static let all = Wording(
        english: StateWords(
            given: "Consent given", refused: "Consent refused", withdrawn: "Consent withdrawn",
            revoked: "Consent revoked", invalidated: "Consent invalid", expired: "Consent expired"),
        german: StateWords(
            given: "Eingewilligt", refused: "Abgelehnt", withdrawn: "Widerrufen", revoked: "Aufgehoben",
            invalidated: "Ungültig", expired: "Abgelaufen"))
}
