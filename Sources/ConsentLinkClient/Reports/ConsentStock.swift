/// How many recipients had which status.
public struct ConsentStock: Sendable, Hashable, Decodable {
    /// With consent in force.
    public let given: Int
    public let refused: Int
    public let withdrawn: Int
    public let revoked: Int
    public let invalidated: Int
    /// With a given consent that is past its end.
    public let expired: Int
}
