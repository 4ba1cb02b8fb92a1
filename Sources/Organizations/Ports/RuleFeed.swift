package import Consent
package import Identifiers
package import Messages

/// What a click must know without asking the store: who may be recorded, and which messages have changed.
///
/// A storage numbers every change in the order of its commits. Memory takes a snapshot, and from its cursor on follows
/// the changes: it ends as the store does. May be called at once from anywhere.
package protocol RuleFeed: Sendable {
    /// The changes after `cursor`, in the order of their commits. No older than the call: a change that was acknowledged
    /// before is in this page, or in one after it. A feed may forget its oldest changes.
    /// - Throws: a ``StoreFailure``.
    func poll(after cursor: RuleCursor) async throws -> RulePage

    /// All rules at one moment. The page after its cursor begins with the first change that is not in it.
    ///
    /// An organization whose settings cannot be read is not in it. Its ledger is closed, so nothing of it is recorded.
    /// - Throws: a ``StoreFailure``.
    func snapshot() async throws -> RuleSnapshot

    /// At most `limit` messages of all organizations after `id`, in the order of their ids, as they are now.
    /// - Throws: a ``StoreFailure``.
    func messages(after id: MessageID?, limit: Int) async throws -> MessagePage
}

/// Some of all messages.
package struct MessagePage: Sendable {
    /// Without those that cannot be read.
    package let messages: [StoredMessage]
    /// The page after this one begins behind it; `nil` when there is none.
    package let last: MessageID?

    package init(messages: [StoredMessage], last: MessageID?) {
        self.messages = messages
        self.last = last
    }
}

/// A place between two changes of a feed.
package struct RuleCursor: Hashable, Sendable {
    /// How many changes are before it.
    package let position: UInt64
    /// Random. A storage that went back to an older state gives the same positions to other changes, with other marks.
    package let mark: UInt64

    package init(position: UInt64, mark: UInt64) {
        self.position = position
        self.mark = mark
    }
}

package enum RulePage: Sendable {
    /// Empty when there is none after the cursor that was asked about. Then `next` is that cursor.
    case changes([RuleChange], next: RuleCursor)
    /// The feed does not know the cursor: the change before it is forgotten, or belongs to another history. What memory
    /// knows may be wrong, and it needs a snapshot.
    /// - Parameter isOtherHistory: whether the storage went back: it may have lost changes that memory has.
    case replaced(isOtherHistory: Bool)
}

/// All rules, and the place in the feed that they belong to.
package struct RuleSnapshot: Sendable {
    package let organizations: [OrganizationRules]
    package let cursor: RuleCursor

    package init(organizations: [OrganizationRules], cursor: RuleCursor) {
        self.organizations = organizations
        self.cursor = cursor
    }
}

/// What decides which recipients of one organization may be recorded.
package struct OrganizationRules: Hashable, Sendable {
    package let organization: OrganizationID
    package let enforcement: Enforcement
    package let honorsGPC: Bool
    /// A recipient who is not in it may be recorded without end.
    package let ends: [Purpose: [RecordingEnd]]
    package let erased: [RecipientReference]

    package init(
        organization: OrganizationID, enforcement: Enforcement, honorsGPC: Bool, ends: [Purpose: [RecordingEnd]],
        erased: [RecipientReference]
    ) {
        self.organization = organization
        self.enforcement = enforcement
        self.honorsGPC = honorsGPC
        self.ends = ends
        self.erased = erased
    }

    /// The changes that make any other rules of the organization these.
    package var changes: [RuleChange] {
        [.privacyControl(isHonored: honorsGPC, organization), .recording(ends, enforcement, organization)]
            + erased.map { .erasure($0, organization) }
    }
}
