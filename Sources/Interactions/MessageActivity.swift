package import Identifiers

/// What came back for one message, counted from its interactions.
///
/// Feed it every interaction of the message, ordered by recipient and then by time: it keeps one recipient in memory at
/// a time, so its size does not grow with the campaign.
package struct MessageActivity: Sendable {
    package struct KindCounts: Hashable, Sendable {
        package var total = 0
        /// Recipients who did it at least once, by themselves.
        package var unique = 0
        /// Done by crawlers, previewers and scanners, by their user agent.
        package var automated = 0
        /// Too many different links too fast for a person.
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
        package let automated: Bool

        package init(
            recipient: RecipientReference?, kind: InteractionKind, occurredAt: Timestamp, link: LinkIndex,
            automated: Bool
        ) {
            self.recipient = recipient
            self.kind = kind
            self.occurredAt = occurredAt
            self.link = link
            self.automated = automated
        }
    }

    package static let burstLinks = 3
    package static let burstDuration = Duration.seconds(2)

    package private(set) var kinds: [InteractionKind: KindCounts] = [:]
    package private(set) var links: [LinkIndex: LinkCounts] = [:]
    private var rowsOfRecipient: [Row] = []

    package init() {}

    package mutating func add(_ row: Row) {
        if let last = rowsOfRecipient.last, row.recipient == nil || last.recipient != row.recipient { countRecipient() }
        rowsOfRecipient.append(row)
    }

    /// The counts, once every row was added.
    package mutating func finish() { countRecipient() }

    private mutating func countRecipient() {
        let suspected = Self.bursts(in: rowsOfRecipient)
        var seenKinds: Set<InteractionKind> = []
        var seenLinks: Set<LinkIndex> = []
        for (row, isSuspected) in zip(rowsOfRecipient, suspected) {
            kinds[row.kind, default: KindCounts()].total += 1
            if row.automated { kinds[row.kind, default: KindCounts()].automated += 1 }
            if isSuspected { kinds[row.kind, default: KindCounts()].suspected += 1 }
            guard !row.automated, !isSuspected else { continue }
            if row.recipient == nil {
                if row.kind == .pushLinkClicked { links[row.link, default: LinkCounts()].clicks += 1 }
                continue
            }
            if seenKinds.insert(row.kind).inserted { kinds[row.kind, default: KindCounts()].unique += 1 }
            guard row.kind == .pushLinkClicked else { continue }
            links[row.link, default: LinkCounts()].clicks += 1
            if seenLinks.insert(row.link).inserted { links[row.link, default: LinkCounts()].unique += 1 }
        }
        rowsOfRecipient.removeAll(keepingCapacity: true)
    }

    /// For each of one recipient's rows, in order of time, whether it is a click of a burst: of three or more different
    /// links of the message within two seconds, as mail scanners follow them.
    private static func bursts(in rows: [Row]) -> [Bool] {
        var marked = [Bool](repeating: false, count: rows.count)
        let clicks = rows.indices.filter { rows[$0].kind == .pushLinkClicked }
        var linksInWindow: [LinkIndex: Int] = [:]
        var first = 0
        var markedUpTo = 0
        for last in clicks.indices {
            linksInWindow[rows[clicks[last]].link, default: 0] += 1
            while rows[clicks[last]].occurredAt
                > rows[clicks[first]].occurredAt.advanced(
                    by: burstDuration)
            {
                let left = rows[clicks[first]].link
                linksInWindow[left] = linksInWindow[left].flatMap { $0 > 1 ? $0 - 1 : nil }
                first += 1
            }
            guard linksInWindow.count >= burstLinks else { continue }
            for click in max(first, markedUpTo)...last { marked[clicks[click]] = true }
            markedUpTo = last + 1
        }
        return marked
    }
}
