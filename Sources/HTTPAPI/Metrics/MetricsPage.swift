import Counting
import HTTPTypes
import Hummingbird
import NIOCore

/// The metrics of all parts of the service, on one page for Prometheus.
struct MetricsPage: Sendable {
    let sources: [any MetricSource]

    var routes: [Route] {
        [Route(.get, "/metrics", .anyone) { _ in response }]
    }

    private var response: Response {
        let text = PrometheusText(sources.flatMap(\.metrics)).text
        return Response(
            status: .ok, headers: [.contentType: PrometheusText.contentType, .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}
