import Counting

/// The durations of commits, in the buckets of their histogram.
struct CommitTimes: Hashable, Sendable {
    /// The duration that a given share of the commits did not exceed.
    enum Quantile: Hashable, Sendable {
        /// In microseconds: the upper bound of a bucket.
        case atMost(UInt64)
        /// More than the last bound, in microseconds.
        case moreThan(UInt64)
    }

    /// The buckets' upper bounds in nanoseconds, ascending.
    private let bounds: [UInt64]
    /// The count of each bucket; one more than there are bounds.
    private var counts: [UInt64]

    init(_ reading: HistogramReading) { (bounds, counts) = (reading.bounds, reading.counts) }

    /// The commits since `earlier`, a reading of the same histogram.
    func since(_ earlier: CommitTimes?) -> CommitTimes {
        guard let earlier, earlier.bounds == bounds else { return self }
        var rest = self
        for index in counts.indices { rest.counts[index] = counts[index] &- min(counts[index], earlier.counts[index]) }
        return rest
    }

    func adding(_ other: CommitTimes?) -> CommitTimes {
        guard let other, other.bounds == bounds else { return self }
        var sum = self
        for index in counts.indices { sum.counts[index] += other.counts[index] }
        return sum
    }

    /// - Parameter share: from 0 to 1.
    /// - Returns: `nil` if there was no commit.
    func quantile(_ share: Double) -> Quantile? {
        let total = counts.reduce(0, +)
        guard total > 0 else { return nil }
        let rank = max(1, UInt64((Double(total) * share).rounded(.up)))
        var seen: UInt64 = 0
        for (bound, count) in zip(bounds, counts) {
            seen += count
            if seen >= rank { return .atMost(bound / 1000) }
        }
        return bounds.last.map { .moreThan($0 / 1000) }
    }
}

extension CommitTimes.Quantile {
    /// The value for a chart.
    var microseconds: UInt64 {
        switch self {
        case .atMost(let bound), .moreThan(let bound): bound
        }
    }
}
