import Counting
import Testing

@Suite struct PrometheusTextTests {
    @Test("a counter stands with its help, its type and its labels")
    func counter() {
        let family = MetricFamily.counters(
            "clicks_total", "Clicks.", [([.init("reason", "full")], 3), ([.init("reason", "stuck")], 0)])
        #expect(
            PrometheusText([family]).text == """
                # HELP clicks_total Clicks.
                # TYPE clicks_total counter
                clicks_total{reason="full"} 3
                clicks_total{reason="stuck"} 0

                """)
    }

    @Test("buckets count what took no longer than their bound, bounds included, in seconds")
    func histogram() {
        let histogram = Histogram(boundsInMicroseconds: [500, 1_000])
        for nanoseconds in [1, 500_000, 500_001, 1_000_000, 1_000_001, -5] as [Int64] {
            histogram.observe(nanoseconds: nanoseconds)
        }
        #expect(
            PrometheusText([.histogram("commit_seconds", "Time.", histogram.reading)]).text == """
                # HELP commit_seconds Time.
                # TYPE commit_seconds histogram
                commit_seconds_bucket{le="0.0005"} 3
                commit_seconds_bucket{le="0.001"} 5
                commit_seconds_bucket{le="+Inf"} 6
                commit_seconds_sum 0.003000003
                commit_seconds_count 6

                """)
    }

    @Test(
        "what would end a line or a label is escaped",
        arguments: [
            ("a\"b", #"x{l="a\"b"} 1"#), ("a\\b", #"x{l="a\\b"} 1"#), ("a\nb", #"x{l="a\nb"} 1"#),
            ("ü}", #"x{l="ü}"} 1"#),
        ])
    func escaping(_ value: String, _ line: String) {
        let text = PrometheusText([.gauge("x", "a\\b\n\"c\"", 1, [.init("l", value)])]).text
        #expect(text == "# HELP x a\\\\b\\n\"c\"\n# TYPE x gauge\n\(line)\n")
    }

    @Test(
        "numbers are written as Prometheus reads them",
        arguments: [
            (0.0, "0"), (1_700_000_000, "1700000000"), (0.25, "0.25"), (.infinity, "+Inf"), (-.infinity, "-Inf"),
            (.nan, "NaN"), (1e300, "1e+300"),
        ])
    func numbers(_ value: Double, _ text: String) {
        #expect(PrometheusText([.gauge("x", "", value)]).text.hasSuffix("\nx \(text)\n"))
    }
}
