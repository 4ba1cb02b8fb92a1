package import Identifiers
package import Messages

/// What a click must know, in a file of the node's own: with it a node redirects while its storage is away, and after a
/// restart too. Follows a ``RuleFeed``, a fraction of a second behind. May be called at once from anywhere.
///
/// It is a copy. What it lost, or has not yet, is read from the storage; what is recorded is decided from the storage alone.
package protocol RuleMirror: Sendable {
    /// The rules that the file has, to begin with; `nil` when it never had all of them.
    func rules() async throws -> RuleSnapshot?

    /// These changes follow what was noted before. Does not wait for the disk.
    func note(_ changes: [RuleChange], upTo cursor: RuleCursor)

    /// These are all rules, whatever was noted before.
    /// - Parameter keepsEnds: whether those stay whose recording has ended by what was noted before.
    func note(_ snapshot: RuleSnapshot, keepsEnds: Bool)

    /// The message, as far as is known here; `nil` also when the file cannot be read.
    func message(_ id: MessageID) async -> FollowedMessage?

    /// Whether it must be told all rules, because it has none, or not all of them.
    var needsRules: Bool { get }

    /// Whether every message is here, as it is now.
    var isWhole: Bool { get }
}

/// Other nodes, which may know a message that this one does not: one that was stored just before the storage went away, or
/// while this node alone was cut off from it.
package protocol LinkPeers: Sendable {
    /// The message with this link, from whichever node has it; `nil` when none answers with it in time.
    func message(_ id: MessageID, having link: LinkIndex) async -> FollowedMessage?
}
