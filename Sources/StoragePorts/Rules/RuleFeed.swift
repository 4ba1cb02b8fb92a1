package import Consent
package import Identifiers
package import Messages

/// The rules that a click needs without asking the store: which recipients may be recorded, and which messages have
/// changed.
///
/// A storage numbers every change in the order of its commits. A follower takes a snapshot and then applies the changes
/// after the snapshot's cursor, so that it reaches the same state as the store. All calls may be concurrent.
package protocol RuleFeed: Sendable {
    /// The changes after `cursor`, in the order of their commits. A change that was acknowledged before the call is in
    /// this page or in a later one. A feed may have removed its oldest changes.
    /// - Throws: a ``StoreFailure``.
    func poll(after cursor: RuleCursor) async throws -> RulePage

    /// All rules at one moment. The page after its cursor begins with the first change that is not in it.
    ///
    /// It lacks organizations whose settings cannot be read. Their ledgers are closed, so nothing of them is recorded.
    /// - Throws: a ``StoreFailure``.
    func snapshot() async throws -> RuleSnapshot

    /// At most `limit` messages of all organizations after `id`, in the order of their ids, in their present state.
    /// - Throws: a ``StoreFailure``.
    func messages(after id: MessageID?, limit: Int) async throws -> MessagePage
}

/// A page of all messages.
package struct MessagePage: Sendable {
    /// Without messages that cannot be read.
    package let messages: [StoredMessage]
    /// The next page begins behind it; `nil` if there is none.
    package let last: MessageID?

    package init(messages: [StoredMessage], last: MessageID?) {
        self.messages = messages
        self.last = last
    }
}

/// A place between two changes of a feed.
package struct RuleCursor: Hashable, Sendable {
    /// The number of changes before it.
    package let position: UInt64
    /// Random. If a storage was restored to an older state, the same positions get other changes, with other marks.
    package let mark: UInt64

    package init(position: UInt64, mark: UInt64) {
        self.position = position
        self.mark = mark
    }
}

/// What a follower of the rules gets for its cursor.
package enum RulePage: Sendable {
    /// Empty if there is no change after the given cursor. Then `next` is that cursor.
    case changes([RuleChange], next: RuleCursor)
    /// The feed does not know the cursor: the change before it was removed, or belongs to another history. The
    /// follower's rules may be wrong, so it needs a snapshot.
    /// - Parameter isOtherHistory: whether the storage was restored: it may lack changes that the follower has.
    case replaced(isOtherHistory: Bool)
}

/// All rules, and their place in the feed.
package struct RuleSnapshot: Sendable {
    package let organizations: [OrganizationRules]
    package let cursor: RuleCursor

    package init(organizations: [OrganizationRules], cursor: RuleCursor) {
        self.organizations = organizations
        self.cursor = cursor
    }
}

/// The rules that decide which recipients of one organization may be recorded.
package struct OrganizationRules: Hashable, Sendable {
    package let organization: OrganizationID
    package let enforcement: Enforcement
    package let honorsGPC: Bool
    /// A recipient who is not in it may be recorded without end.
    package let ends: [RecordingScope: [RecordingEnd]]
    package let erased: [RecipientReference]

    package init(
        organization: OrganizationID, enforcement: Enforcement, honorsGPC: Bool,
        ends: [RecordingScope: [RecordingEnd]], erased: [RecipientReference]
    ) {
        self.organization = organization
        self.enforcement = enforcement
        self.honorsGPC = honorsGPC
        self.ends = ends
        self.erased = erased
    }

    /// The changes that turn any other rules of the organization into these.
    package var changes: [RuleChange] {
        [.privacyControl(isHonored: honorsGPC, organization), .recording(ends, enforcement, organization)]
            + erased.map { .erasure($0, organization) }
    }
}
