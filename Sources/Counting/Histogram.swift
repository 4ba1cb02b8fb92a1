/// Durations, counted in buckets. An observation is two atomic additions.
package final class Histogram: Sendable {
    /// The buckets' upper bounds in nanoseconds, included, ascending.
    let bounds: [UInt64]
    /// The count of each bucket, the last without a bound, and after them the sum in nanoseconds.
    private let cells: CounterArray

    package init(boundsInMicroseconds bounds: [UInt64]) {
        self.bounds = bounds.map { $0 * 1000 }
        cells = CounterArray(count: bounds.count + 2)
    }

    package func observe(nanoseconds: Int64, times: Int = 1) {
        let duration = UInt64(max(0, nanoseconds))
        var index = 0
        while index < bounds.count && duration > bounds[index] { index += 1 }
        cells.add(UInt64(times), at: index)
        cells.add(duration &* UInt64(times), at: bounds.count + 1)
    }

    package func observe(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        observe(nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    package var reading: HistogramReading {
        let values = cells.values
        return HistogramReading(bounds: bounds, counts: Array(values.dropLast()), sum: values.last ?? 0)
    }
}

/// A histogram at one moment.
package struct HistogramReading: Hashable, Sendable {
    /// The upper bounds in nanoseconds.
    package let bounds: [UInt64]
    /// The count of each bucket, not cumulative; one more than there are bounds.
    package private(set) var counts: [UInt64]
    /// The sum in nanoseconds.
    package private(set) var sum: UInt64

    init(bounds: [UInt64], counts: [UInt64], sum: UInt64) {
        self.bounds = bounds
        self.counts = counts
        self.sum = sum
    }

    /// Adds the observations of another histogram with the same buckets.
    mutating func add(_ other: HistogramReading) {
        precondition(other.bounds == bounds)
        for index in counts.indices { counts[index] += other.counts[index] }
        sum += other.sum
    }

    /// The sum of `readings`, which must have the same buckets.
    package static func total(of readings: [HistogramReading]) -> HistogramReading? {
        guard var total = readings.first else { return nil }
        for reading in readings.dropFirst() { total.add(reading) }
        return total
    }
}
