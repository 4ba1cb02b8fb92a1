import Counting
import Testing

@Suite struct HistogramTests {
    private static let microsecond: Int64 = 1000

    @Test(
        "a duration falls into the first bucket whose bound it does not exceed",
        arguments: [
            (-1, 0), (0, 0), (9999, 0), (10_000, 0), (10_001, 1), (100_000, 1), (100_001, 2), (Int64.max, 2),
        ] as [(Int64, Int)])
    func buckets(_ nanoseconds: Int64, _ bucket: Int) {
        let histogram = Histogram(boundsInMicroseconds: [10, 100])
        histogram.observe(nanoseconds: nanoseconds)
        var expected: [UInt64] = [0, 0, 0]
        expected[bucket] = 1
        #expect(histogram.reading.counts == expected)
        #expect(histogram.reading.sum == UInt64(max(0, nanoseconds)))
        #expect(histogram.reading.bounds == [10_000, 100_000])
    }

    @Test("what is observed several times at once counts so often")
    func times() {
        let histogram = Histogram(boundsInMicroseconds: [10])
        histogram.observe(nanoseconds: 7, times: 3)
        histogram.observe(.microseconds(20))
        #expect(histogram.reading.counts == [3, 1])
        #expect(histogram.reading.sum == 3 * 7 + 20_000)
    }

    @Test("readings of one kind add up, and none of them is changed")
    func total() throws {
        let histograms = (0..<3).map { _ in Histogram(boundsInMicroseconds: [10]) }
        for (place, histogram) in histograms.enumerated() { histogram.observe(nanoseconds: Int64(place) * 10_000) }
        let total = try #require(HistogramReading.total(of: histograms.map(\.reading)))
        #expect(total.counts == [2, 1])
        #expect(total.sum == 30_000)
        #expect(histograms[0].reading.counts == [1, 0])
        #expect(HistogramReading.total(of: []) == nil)
        #expect(HistogramReading.total(of: [histograms[2].reading]) == histograms[2].reading)
    }

    @Test("Prometheus reads buckets that add up, in seconds, the last without a bound, and labels before them")
    func text() {
        let histogram = Histogram(boundsInMicroseconds: [500, 1_000_000])
        for nanoseconds in [1, 500_000, 500_001, 2_000_000_000] as [Int64] {
            histogram.observe(nanoseconds: nanoseconds)
        }
        let families = [
            MetricFamily.histogram("t", "How long.", histogram.reading),
            MetricFamily.histograms("u", "By way.", [([.init("way", "a\"b")], histogram.reading)]),
        ]
        #expect(
            PrometheusText(families).text == """
                # HELP t How long.
                # TYPE t histogram
                t_bucket{le="0.0005"} 2
                t_bucket{le="1.0"} 3
                t_bucket{le="+Inf"} 4
                t_sum 2.001000002
                t_count 4
                # HELP u By way.
                # TYPE u histogram
                u_bucket{way="a\\"b",le="0.0005"} 2
                u_bucket{way="a\\"b",le="1.0"} 3
                u_bucket{way="a\\"b",le="+Inf"} 4
                u_sum{way="a\\"b"} 2.001000002
                u_count{way="a\\"b"} 4

                """)
    }
}

@Suite struct CaseCounterTests {
    private enum Ending: Int, Counted {
        case good
        case bad
    }

    @Test("each case has a counter of its own, and those of several counters add up under its name")
    func cases() {
        let counters = [CaseCounters<Ending>(), CaseCounters<Ending>()]
        counters[0].add(1, .good)
        counters[0].add(2, .bad)
        counters[1].add(5, .bad)
        #expect((counters[0][.good], counters[0][.bad], counters[1][.good]) == (1, 2, 0))
        #expect(
            PrometheusText([.counters("n", "Endings.", by: "ending", counters)]).text == """
                # HELP n Endings.
                # TYPE n counter
                n{ending="good"} 1
                n{ending="bad"} 7

                """)
    }
}
