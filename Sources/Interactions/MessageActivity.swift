package import Identifiers

/// The counts of one message, from its interactions.
///
/// All interactions of the message must be added, ordered by recipient and then by time. It keeps one recipient in
/// memory at a time, so its size does not grow with the number of recipients.
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
    private var rowsOfRecipient: [Row] = []

    package init(madeAt: Timestamp? = nil) { self.init(counts: ActivityCounts(), madeAt: madeAt) }

    /// Begins with counts from a store.
    package init(counts: ActivityCounts, madeAt: Timestamp? = nil) {
        self.counts = counts
        self.madeAt = madeAt
    }

    package mutating func add(_ row: Row) {
        if let last = rowsOfRecipient.last, row.recipient == nil || last.recipient != row.recipient { countRecipient() }
        rowsOfRecipient.append(row)
    }

    /// Must be called after the last row was added.
    package mutating func finish() { countRecipient() }

    private mutating func countRecipient() {
        let suspected = ScannerBurst.suspected(in: rowsOfRecipient)
        var person = ActivityOfPerson(madeAt: madeAt)
        for (row, isSuspected) in zip(rowsOfRecipient, suspected) { person.count(row, isSuspected: isSuspected) }
        counts += person.counts
        rowsOfRecipient.removeAll(keepingCapacity: true)
    }
}
