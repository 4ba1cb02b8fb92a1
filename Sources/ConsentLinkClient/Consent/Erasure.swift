/// How many stored things no longer name the recipient.
public struct Erasure: Sendable, Hashable, Decodable {
    public let consents: Int
    public let decisions: Int
    public let interactions: Int
}
