package import Identifiers

/// How far the times of occurrences can be relied on, for the drain.
package struct OccurrenceTimes: Sendable {
    /// How far the time of an unjudged occurrence may differ from that of a consent record, which another node may have
    /// made.
    let uncertainty: Duration
    /// Asks the storage for its time. On return, ``gaps`` has every period until the call in which the clock was behind.
    let check: @Sendable () async throws -> Void
    /// The periods in which the clock was behind.
    let gaps: @Sendable () -> [ClockGap]

    /// By default, the clock is that of the storage.
    package init(
        uncertainty: Duration = .zero, check: @escaping @Sendable () async throws -> Void = {},
        gaps: @escaping @Sendable () -> [ClockGap] = { [] }
    ) {
        self.uncertainty = uncertainty
        self.check = check
        self.gaps = gaps
    }
}

/// A period in which a node's clock may have been behind the storage's: the node's machine stood still together with its
/// clocks, or the storage's clock went ahead. What has a time of the period may have occurred later, in the other clock.
package struct ClockGap: Hashable, Sendable {
    package let start: Timestamp
    /// The last time of the period.
    package let end: Timestamp
    /// The clock was behind by this at most.
    package let size: Duration

    package init(from start: Timestamp, through end: Timestamp, size: Duration) {
        self.start = start
        self.end = end
        self.size = size
    }

    /// The period of both, with the larger size.
    package func joined(with other: ClockGap) -> ClockGap {
        ClockGap(from: min(start, other.start), through: max(end, other.end), size: max(size, other.size))
    }
}

extension [ClockGap] {
    /// By how much the clock may have been behind at a time; `nil` if it was right.
    func size(at time: Timestamp) -> Duration? {
        lazy.filter { $0.start <= time && time <= $0.end }.map(\.size).max()
    }
}
