/// How often recipients did something with a message.
public struct InteractionCounts: Sendable, Hashable, Decodable {
    public let total: Int
    /// Recipients with at least one interaction of which the cause is not known to be a machine.
    public let unique: Int
    /// Interactions of machines.
    public let automated: Int
    /// Interactions that a mail scanner may have caused: three or more links within two seconds.
    public let suspected: Int
}
