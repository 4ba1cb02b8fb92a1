package import Identifiers

/// The counts of one message: those that a store has, and those of interactions that are nobody's.
///
/// What a recipient did is counted by ``JudgedActivity``.
package struct MessageActivity: Sendable {
    package struct LinkCounts: Hashable, Sendable {
        package var clicks = 0
        package var unique = 0

        package init() {}
    }

    /// The values of an interaction that counting needs.
    package struct Row: Sendable {
        /// `nil` for an erased recipient, who counts only in totals.
        package let recipient: RecipientReference?
        package let kind: InteractionKind
        package let occurredAt: Timestamp
        package let link: LinkIndex
        package let visitor: VisitorClass
        /// Whether a machine caused it.
        var automated: Bool { visitor == .machine }

        package init(
            recipient: RecipientReference?, kind: InteractionKind, occurredAt: Timestamp, link: LinkIndex,
            visitor: VisitorClass
        ) {
            self.recipient = recipient
            self.kind = kind
            self.occurredAt = occurredAt
            self.link = link
            self.visitor = visitor
        }
    }

    package private(set) var counts: ActivityCounts
    /// When the message was made; `nil` if hours are not counted.
    private let madeAt: Timestamp?

    package init(madeAt: Timestamp? = nil) { self.init(counts: ActivityCounts(), madeAt: madeAt) }

    /// Begins with counts from a store.
    package init(counts: ActivityCounts, madeAt: Timestamp? = nil) {
        self.counts = counts
        self.madeAt = madeAt
    }

    /// Adds an interaction of a recipient who was erased, or of one who did more than is judged. It counts only in
    /// totals, and is not suspected to be a scanner's.
    package mutating func addOfNobody(_ row: Row) {
        let row = Row(
            recipient: nil, kind: row.kind, occurredAt: row.occurredAt, link: row.link, visitor: row.visitor)
        var nobody = ActivityOfPerson(madeAt: madeAt)
        nobody.count(row, isSuspected: false)
        counts += nobody.counts
    }
}
