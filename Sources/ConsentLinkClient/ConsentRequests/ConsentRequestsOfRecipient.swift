/// Every request to a recipient, oldest first. Empty for an unknown recipient.
public struct ConsentRequestsOfRecipient: Sendable, Hashable, Decodable {
    public let recipient: String
    public let requests: [ConsentRequest]
}
