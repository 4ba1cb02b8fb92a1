import CoreMetrics
import Counting
import Testing

@testable import Service

@Suite struct LibraryMetricsTests {
    private func text(_ metrics: LibraryMetrics) -> String { PrometheusText(metrics.metrics).text }

    @Test("what a library counts, sets and times stands on the page under Prometheus's names")
    func kinds() {
        let metrics = LibraryMetrics()
        let request = [("http.route", "/v1/orgs/{org}"), ("http.request.method", "GET")]
        metrics.makeCounter(label: "hb.requests", dimensions: request).increment(by: 2)
        let active = metrics.makeMeter(label: "http.server.active_requests", dimensions: [])
        active.increment(by: 3)
        active.decrement(by: 1)
        metrics.makeTimer(label: "http.server.request.duration", dimensions: request).recordNanoseconds(30_000_000)
        let recorder = metrics.makeRecorder(label: "9 pool-size", dimensions: [], aggregate: true)
        recorder.record(Int64(4))
        recorder.record(7.5)
        let text = text(metrics)
        for line in [
            #"hb_requests_total{http_route="/v1/orgs/{org}",http_request_method="GET"} 2"#,
            "# TYPE hb_requests_total counter", "http_server_active_requests 2",
            "# HELP http_server_active_requests Requests other than links whose answer has not ended.",
            #"duration_seconds_bucket{http_route="/v1/orgs/{org}",http_request_method="GET",le="0.025"} 0"#,
            #"duration_seconds_bucket{http_route="/v1/orgs/{org}",http_request_method="GET",le="0.1"} 1"#,
            #"http_server_request_duration_seconds_sum{http_route="/v1/orgs/{org}",http_request_method="GET"} 0.03"#,
            "# HELP _9_pool_size The metric 9 pool-size of a library.", "_9_pool_size 7.5",
            "consentlink_library_metrics_refused_total 0",
        ] {
            #expect(text.contains(line + "\n"), "\(line)")
        }
    }

    @Test("a metric that is asked for twice is one")
    func sameSeries() {
        let metrics = LibraryMetrics()
        for _ in 1...2 { metrics.makeCounter(label: "asked", dimensions: [("a", "b")]).increment(by: 1) }
        #expect(text(metrics).contains(#"asked_total{a="b"} 2"# + "\n"))
    }

    @Test("methods that a client makes up are one", arguments: ["MKCOL", "get", "X-ANA", ""])
    func methods(_ method: String) {
        let metrics = LibraryMetrics()
        metrics.makeCounter(label: "hb.requests", dimensions: [("http.request.method", method)]).increment(by: 1)
        #expect(text(metrics).contains(#"hb_requests_total{http_request_method="_OTHER"} 1"# + "\n"))
    }

    @Test("the series are bounded, and what is one too many is counted and does no harm")
    func bound() {
        let metrics = LibraryMetrics()
        for number in 0..<LibraryMetrics.maximumSeries {
            metrics.makeCounter(label: "many", dimensions: [("number", "\(number)")]).increment(by: 1)
        }
        #expect(text(metrics).contains("refused_total 0\n"))
        metrics.makeTimer(label: "one.more", dimensions: []).recordNanoseconds(1)
        metrics.makeCounter(label: "many", dimensions: [("number", "x")]).increment(by: 1)
        metrics.makeCounter(label: "many", dimensions: [("number", "7")]).increment(by: 1)
        let text = text(metrics)
        #expect(text.contains("refused_total 2\n"))
        #expect(!text.contains("one_more") && !text.contains(#"number="x""#))
        #expect(text.contains(#"many_total{number="7"} 2"#))
    }

    @Test("a name that is taken by a metric of another kind is refused")
    func otherKind() {
        let metrics = LibraryMetrics()
        metrics.makeMeter(label: "a.total", dimensions: []).set(Int64(5))
        metrics.makeCounter(label: "a", dimensions: []).increment(by: 1)
        #expect(text(metrics).contains("a_total 5\n"))
        #expect(text(metrics).contains("refused_total 1\n"))
    }

    @Test("what a library takes away is gone, and its place is free")
    func destroyed() {
        let metrics = LibraryMetrics()
        let counter = metrics.makeCounter(label: "gone", dimensions: [])
        counter.increment(by: 1)
        metrics.destroyCounter(counter)
        #expect(!text(metrics).contains("gone"))
        metrics.makeMeter(label: "gone_total", dimensions: []).set(Int64(2))
        #expect(text(metrics).contains("gone_total 2\n"))
    }
}
