/// One of the services that share a database.
public struct Node: Sendable, Hashable, Decodable {
    public let name: String
    public let slot: Int
    /// `running`, `stopped`, or `silent` when nothing was heard of it for eight seconds.
    public let state: String
    /// The version of the service.
    public let version: String
    public let lastSeenSeconds: Int
    /// How many changes of consent, messages and settings it has not confirmed to have applied.
    public let changesBehind: Int
    /// The number of clicks in its spool at its last report.
    public let spooled: Int
}

struct NodeList: Decodable {
    let nodes: [Node]
}
