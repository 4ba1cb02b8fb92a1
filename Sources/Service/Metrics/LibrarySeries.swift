import CoreMetrics
import Counting
import Synchronization

/// One series of a metric of a library: a value for one set of labels.
protocol LibrarySeries: AnyObject, Sendable {}

/// All series of one metric.
struct LibraryFamily: Sendable {
    let name: String
    private let help: String
    private let kind: MetricFamily.Kind
    var series: [MetricFamily.Labels: any LibrarySeries] = [:]

    init(_ metric: LibraryMetric) {
        name = metric.name
        help = metric.help
        kind = metric.kind
    }

    var metric: MetricFamily {
        let all = series.sorted { left, right in
            left.key.map(\.value).lexicographicallyPrecedes(right.key.map(\.value))
        }
        return switch kind {
        case .counter:
            .counters(name, help, all.compactMap { labels, of in (of as? LibraryCounter).map { (labels, $0.value) } })
        case .gauge:
            .gauges(name, help, all.compactMap { labels, of in (of as? LibraryGauge).map { (labels, $0.value) } })
        case .histogram:
            .histograms(
                name, help, all.compactMap { labels, of in (of as? LibraryTimer).map { (labels, $0.reading) } })
        }
    }
}

/// The sum of what a library counted since the start.
final class LibraryCounter: LibrarySeries, CounterHandler {
    private let count = Atomic<UInt64>(0)

    var value: UInt64 { count.load(ordering: .relaxed) }

    /// A counter does not fall: an amount below 0 is ignored.
    func increment(by amount: Int64) {
        count.wrappingAdd(UInt64(max(0, amount)), ordering: .relaxed)
    }

    func reset() { count.store(0, ordering: .relaxed) }
}

/// The value that a library last set or recorded.
final class LibraryGauge: LibrarySeries, MeterHandler, RecorderHandler {
    /// Guards the value, which is read and changed in one step.
    private let current = Mutex(0.0)

    var value: Double { current.withLock { $0 } }

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { current.withLock { $0 = value } }
    func increment(by amount: Double) { current.withLock { $0 += amount } }
    func decrement(by amount: Double) { current.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
}

/// The distribution of the durations that a library measured.
final class LibraryTimer: LibrarySeries, TimerHandler {
    private let histogram = Histogram(boundsInMicroseconds: [
        5_000, 25_000, 100_000, 500_000, 1_000_000, 5_000_000, 30_000_000, 300_000_000,
    ])

    var reading: HistogramReading { histogram.reading }

    func recordNanoseconds(_ duration: Int64) { histogram.observe(nanoseconds: duration) }
}
