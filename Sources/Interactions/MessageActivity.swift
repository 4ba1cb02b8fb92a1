package import Identifiers

/// What came back for one message, counted from its interactions.
///
/// Feed it every interaction of the message, ordered by recipient and then by time: it keeps one recipient in memory at
/// a time, so its size does not grow with the campaign.
package struct MessageActivity: Sendable {
    package struct KindCounts: Hashable, Sendable {
        package var total = 0
        /// Recipients of whom it came at least once from something that is not known to be a machine.
        package var unique = 0
        /// What machines did: crawlers, previewers, scanners, and programs that fetch pictures before anybody reads.
        package var automated = 0
        /// Too many different links too fast for a person, and the openings that came with them.
        package var suspected = 0

        package init() {}
    }

    package struct LinkCounts: Hashable, Sendable {
        package var clicks = 0
        package var unique = 0

        package init() {}
    }

    /// What the counting needs to know of one interaction.
    package struct Row: Sendable {
        /// `nil` for an erased recipient, who counts in totals only.
        package let recipient: RecipientReference?
        package let kind: InteractionKind
        package let occurredAt: Timestamp
        package let link: LinkIndex
        package let visitor: VisitorClass
        /// Whether a machine caused it.
        package var automated: Bool { visitor == .machine }

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
    /// When the message was made; `nil` where hours are not counted.
    private let madeAt: Timestamp?
    private var rowsOfRecipient: [Row] = []

    package init(madeAt: Timestamp? = nil) { self.init(counts: ActivityCounts(), madeAt: madeAt) }

    /// What was counted before, as a store keeps it.
    package init(counts: ActivityCounts, madeAt: Timestamp? = nil) {
        self.counts = counts
        self.madeAt = madeAt
    }

    package mutating func add(_ row: Row) {
        if let last = rowsOfRecipient.last, row.recipient == nil || last.recipient != row.recipient { countRecipient() }
        rowsOfRecipient.append(row)
    }

    /// The counts, once every row was added.
    package mutating func finish() { countRecipient() }

    private mutating func countRecipient() {
        let suspected = ScannerBurst.suspected(in: rowsOfRecipient)
        var person = ActivityOfPerson(madeAt: madeAt)
        for (row, isSuspected) in zip(rowsOfRecipient, suspected) { person.count(row, isSuspected: isSuspected) }
        counts += person.counts
        rowsOfRecipient.removeAll(keepingCapacity: true)
    }
}
