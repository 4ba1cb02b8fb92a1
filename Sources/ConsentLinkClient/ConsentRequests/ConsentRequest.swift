public import Foundation

/// A request for consent, and its state.
public struct ConsentRequest: Sendable, Hashable, Decodable {
    public let id: String
    /// `nil` once the recipient was erased.
    public let recipient: String?
    public let state: ConsentRequestState
    /// In the order of the request.
    public let purposes: [AskedPurpose]
    /// `nil` once it was forgotten.
    public let notice: ShownNotice?
    /// Whether a yes counts only after a second link was also confirmed.
    public let confirm: Bool
    public let madeAt: Date
    /// From this time on it accepts no answer.
    public let expiresAt: Date
    /// What to send to the recipient. Any client that has it can answer. `nil` with a key without ``Scope/consent``.
    public let url: String?
    /// What to send to the same recipient next; `nil` unless a yes waits for it.
    public let confirmUrl: String?
}
