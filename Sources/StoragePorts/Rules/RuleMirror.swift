package import Identifiers
package import Messages

/// The rules for clicks in a file of the node: with it, a node redirects while its storage cannot be reached, also after
/// a restart. It follows a ``RuleFeed``, a fraction of a second behind. All calls may be concurrent.
///
/// It is a copy. Data that it lacks is read from the storage, and the storage alone decides what is recorded.
package protocol RuleMirror: Sendable {
    /// The rules in the file at the start; `nil` if it never had all of them, or if they cannot be read.
    /// - Throws: `CancellationError`
    func rules() async throws -> RuleSnapshot?

    /// Notes changes that follow all earlier notes. Does not wait for the disk.
    func append(_ changes: [RuleChange], upTo cursor: RuleCursor)

    /// Notes all rules, which replace all earlier notes.
    /// - Parameter keepsEnds: whether the ends of recording in earlier notes stay.
    func store(_ snapshot: RuleSnapshot, keepsEnds: Bool)

    /// The message, as far as it is known here; also `nil` if the file cannot be read.
    func message(_ id: MessageID) async -> FollowedMessage?

    /// Whether it needs a snapshot, because it has no rules or not all of them.
    var needsRules: Bool { get }

    /// Whether it has the present state of every message.
    var isComplete: Bool { get }
}

/// Other nodes, which may have a message that this one lacks: one that was stored just before the storage was lost, or
/// while only this node was cut off from it.
package protocol LinkPeers: Sendable {
    /// The message with this link, from any node that has it; `nil` if no node answers with it in time.
    func message(_ id: MessageID, having link: LinkIndex) async -> FollowedMessage?
}
