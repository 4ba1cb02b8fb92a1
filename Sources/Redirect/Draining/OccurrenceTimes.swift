package import Identifiers
import Interactions

/// How far the times of occurrences can be relied on, for the drain.
package struct OccurrenceTimes: Sendable {
    /// By how much a known time of an unjudged occurrence may be behind that of a consent record of another node.
    private let uncertainty: Duration
    /// Asks the storage for its time. On return, ``gaps`` has every period until the call in which the time was not
    /// known.
    let check: @Sendable () async throws -> Void
    /// The periods in which the time was not known.
    let gaps: @Sendable () -> [ClockGap]
    private let isOfNode: Bool

    /// By default, the clock is that of the storage.
    /// - Parameter isOfNode: whether unjudged occurrences have their times from this clock. If not, the folder was a
    ///   node's before, and it is not known which of its times were right.
    package init(
        uncertainty: Duration = .zero, isOfNode: Bool = true, check: @escaping @Sendable () async throws -> Void = {},
        gaps: @escaping @Sendable () -> [ClockGap] = { [] }
    ) {
        self.uncertainty = uncertainty
        self.isOfNode = isOfNode
        self.check = check
        self.gaps = gaps
    }

    /// When an occurrence may have come; `nil` if it came at its time and its node knew every withdrawal then.
    ///
    /// An unjudged occurrence came at its time, or later by the uncertainty at most. One whose time is not known came
    /// after the last time that was known, and before now; an id is not later than its occurrence. A time after `now`
    /// is wrong: it was given by a clock that was ahead.
    func span(of spooled: SpooledOccurrence, in gaps: [ClockGap], now: Timestamp) -> ClosedRange<Timestamp>? {
        let time = spooled.occurrence.occurredAt
        let gap = gaps.isEmpty ? nil : gaps.filter { $0.contains(time) }.min { $0.start < $1.start }
        guard spooled.isUnjudged || gap != nil || time > now else { return nil }
        let isUntimed = spooled.certainty == .untimed || time > now
        let isKnown = isOfNode && !isUntimed && gap == nil
        let made = isUntimed ? TimeOrderedNumber(rawValue: spooled.id.rawValue)?.timestamp : nil
        let first = min(time, gap.flatMap(\.lastKnown) ?? time, made ?? time)
        return first...max(first, (isKnown ? time : now).advanced(by: uncertainty))
    }
}

/// A period in which a node did not know the storage's time: its clock was behind or ahead, or it is not known whether
/// it was.
package struct ClockGap: Hashable, Sendable {
    /// The first time of the period: the last one of which it is known that it was right.
    package let start: Timestamp
    /// The last time of the period.
    package let end: Timestamp

    /// - Parameter start: the distant past if no earlier time is known.
    package init(from start: Timestamp, through end: Timestamp) {
        self.start = start
        self.end = end
    }

    func contains(_ time: Timestamp) -> Bool { start <= time && time <= end }

    var lastKnown: Timestamp? { start == .distantPast ? nil : start }

    /// The period from the beginning of the earlier to the end of the later one.
    package func joined(with other: ClockGap) -> ClockGap {
        ClockGap(from: min(start, other.start), through: max(end, other.end))
    }
}
