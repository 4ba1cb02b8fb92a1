import CoreMetrics
import Counting
import Synchronization

/// The metrics that libraries record through swift-metrics, as families of this service's own page.
///
/// A metric's label becomes its name with the suffix of its unit or kind, its dimensions become labels. The number of
/// series is limited: further series are dropped and counted.
final class LibraryMetrics: MetricsFactory, MetricSource {
    /// The most series of all families together. The routes of both listeners with their usual methods and statuses are
    /// some hundreds.
    static let maximumSeries = 2_000

    /// Guards the families. The counts of a series have their own atomics or lock.
    private let families = Mutex([String: LibraryFamily]())
    private let refused = CounterArray(count: 1)

    init() {}

    var metrics: [MetricFamily] {
        let families = families.withLock { $0 }
        return families.values.sorted { $0.name < $1.name }.map(\.metric) + [
            .counter(
                "consentlink_library_metrics_refused_total",
                "Series of libraries that were not kept, because there were \(Self.maximumSeries).", refused[0])
        ]
    }

    /// The series of that name, made at its first use; `nil` if there are too many.
    private func series<Series: LibrarySeries>(
        _ metric: LibraryMetric, _ dimensions: [(String, String)], _ make: () -> Series
    ) -> Series? {
        let labels = metric.labels(dimensions)
        let found = families.withLock { families in
            if let known = families[metric.name]?.series[labels] { return known as? Series }
            guard families.values.reduce(0, { $0 + $1.series.count }) < Self.maximumSeries else { return nil }
            let new = make()
            families[metric.name, default: LibraryFamily(metric)].series[labels] = new
            return new
        }
        if found == nil { refused.add(at: 0) }
        return found
    }

    // MARK: Requests of libraries

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        guard !LibraryMetric.redundant.contains(label) else { return NOOPMetricsHandler.instance }
        return series(LibraryMetric(label, .counter), dimensions) { LibraryCounter() } ?? NOOPMetricsHandler.instance
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(LibraryMetric(label, .gauge), dimensions) { LibraryGauge() } ?? NOOPMetricsHandler.instance
    }

    /// The last recorded value is reported, whether or not the library asked for a distribution: its unit is not known.
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate _: Bool) -> any RecorderHandler {
        series(LibraryMetric(label, .gauge), dimensions) { LibraryGauge() } ?? NOOPMetricsHandler.instance
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(LibraryMetric(label, .histogram), dimensions) { LibraryTimer() } ?? NOOPMetricsHandler.instance
    }

    func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    private func remove(_ handler: AnyObject) {
        families.withLock { families in
            families = families.compactMapValues { family in
                var family = family
                family.series = family.series.filter { $0.value !== handler }
                return family.series.isEmpty ? nil : family
            }
        }
    }
}
