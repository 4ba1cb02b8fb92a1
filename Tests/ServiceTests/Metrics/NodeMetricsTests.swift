import Counting
import Testing

@testable import Service

@Suite struct NodeMetricsTests {
    private func mirrorLag(_ metrics: NodeMetrics) -> Double? {
        let text = PrometheusText(metrics.metrics).text
        let line = text.split(separator: "\n").first { $0.hasPrefix("consentlink_mirror_lag_seconds ") }
        return line?.split(separator: " ").last.flatMap { Double($0) }
    }

    @Test("a node that could not open its mirror lacks it from its beginning on")
    func withoutMirror() throws {
        let metrics = NodeMetrics(shared: FakeNode(), mirror: nil, unjudged: { 0 })
        let first = try #require(mirrorLag(metrics))
        #expect(first > 0)
        #expect(try #require(mirrorLag(metrics)) > first)
    }

    @Test("a service that has its storage in its folder needs no mirror")
    func alone() {
        #expect(mirrorLag(NodeMetrics(shared: nil, mirror: nil, unjudged: { 0 })) == 0)
    }
}
