/// All values of one metric at one time.
package struct MetricFamily: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case counter
        case gauge
        case histogram
    }

    package typealias Labels = [Label]

    package struct Label: Hashable, Sendable {
        let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    struct Sample: Hashable, Sendable {
        var suffix = ""
        var labels: Labels
        var value: Double
    }

    let name: String
    let help: String
    let kind: Kind
    private(set) var samples: [Sample] = []

    private init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    package static func counter(_ name: String, _ help: String, _ value: UInt64) -> MetricFamily {
        counters(name, help, [([], value)])
    }

    package static func counters(_ name: String, _ help: String, _ values: [(Labels, UInt64)]) -> MetricFamily {
        var family = MetricFamily(name, .counter, help)
        family.samples = values.map { Sample(labels: $0, value: Double($1)) }
        return family
    }

    /// A counter for each case, summed over `counters`.
    package static func counters<Case: Counted>(
        _ name: String, _ help: String, by label: String, _ counters: [CaseCounters<Case>]
    ) -> MetricFamily {
        self.counters(
            name, help,
            Case.allCases.map { which in
                ([Label(label, which.label)], counters.reduce(0) { $0 + $1[which] })
            })
    }

    package static func gauge(_ name: String, _ help: String, _ value: Double, _ labels: Labels = []) -> MetricFamily {
        gauges(name, help, [(labels, value)])
    }

    package static func gauges(_ name: String, _ help: String, _ values: [(Labels, Double)]) -> MetricFamily {
        var family = MetricFamily(name, .gauge, help)
        family.samples = values.map { Sample(labels: $0, value: $1) }
        return family
    }

    /// A counter that may have fractions.
    package static func total(_ name: String, _ help: String, _ value: Double) -> MetricFamily {
        var family = MetricFamily(name, .counter, help)
        family.samples = [Sample(labels: [], value: value)]
        return family
    }

    package static func histogram(_ name: String, _ help: String, _ reading: HistogramReading) -> MetricFamily {
        histograms(name, help, [([], reading)])
    }

    package static func histograms(
        _ name: String, _ help: String, _ readings: [(Labels, HistogramReading)]
    ) -> MetricFamily {
        var family = MetricFamily(name, .histogram, help)
        family.samples = readings.flatMap { samples(of: $1, $0) }
        return family
    }

    /// The cumulative buckets: each has the count up to its bound; the last has no bound, so it has the count of all.
    private static func samples(of reading: HistogramReading, _ labels: Labels) -> [Sample] {
        var samples: [Sample] = []
        var total: UInt64 = 0
        for (index, count) in reading.counts.enumerated() {
            total += count
            let bound = index < reading.bounds.count ? "\(seconds(reading.bounds[index]))" : "+Inf"
            samples.append(Sample(suffix: "_bucket", labels: labels + [Label("le", bound)], value: Double(total)))
        }
        samples.append(Sample(suffix: "_sum", labels: labels, value: seconds(reading.sum)))
        samples.append(Sample(suffix: "_count", labels: labels, value: Double(total)))
        return samples
    }

    private static func seconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1_000_000_000 }
}

/// Counts something that operators read on `/metrics`. May be called at any time, on any thread.
package protocol MetricSource: Sendable {
    var metrics: [MetricFamily] { get }
}
