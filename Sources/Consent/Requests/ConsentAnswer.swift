/// The answer of a recipient to a request for consent.
package enum ConsentAnswer: String, Hashable, Sendable, CaseIterable {
    case given
    case refused

    /// The state of the consent record that the answer becomes.
    package var state: ConsentState {
        switch self {
        case .given: .given
        case .refused: .refused
        }
    }
}
