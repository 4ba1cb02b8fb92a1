package import Counting
import HTTPTypes
import Hummingbird
import Synchronization

/// The durations of requests that the routers answer, by the template of their route, never by their path.
package final class RequestTimes: MetricSource {
    package init() {}

    /// The first digit of an answer's status.
    private enum StatusClass: Int, Counted {
        case success
        case clientError
        case serverError

        init(_ status: HTTPResponse.Status) {
            self =
                switch status.kind {
                case .serverError: .serverError
                case .clientError: .clientError
                default: .success
                }
        }

        var digits: String {
            switch self {
            case .success: "2xx"
            case .clientError: "4xx"
            case .serverError: "5xx"
            }
        }
    }

    /// The name for requests that match no template.
    private static let unknown = "none"

    /// Guards the table of routes, not the counts in it.
    private let ofRoutes = Mutex([unknown: histograms])

    private static var histograms: [Histogram] {
        StatusClass.allCases.map { _ in
            Histogram(boundsInMicroseconds: [
                1_000, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000, 30_000_000,
            ])
        }
    }

    /// Sets all existing routes, by their templates such as `/v1/orgs/{org}/consents`. Requests with any other name are
    /// counted together.
    func expect(_ routes: some Sequence<String>) {
        ofRoutes.withLock { ofRoutes in
            for route in routes where ofRoutes[route] == nil { ofRoutes[route] = Self.histograms }
        }
    }

    func record(route: String?, status: HTTPResponse.Status, _ duration: Duration) {
        let known = ofRoutes.withLock { ofRoutes in
            route.flatMap { ofRoutes[$0] } ?? ofRoutes[Self.unknown]
        }
        known?[StatusClass(status).rawValue].observe(duration)
    }

    package var metrics: [MetricFamily] {
        let readings = ofRoutes.withLock { $0 }.sorted { $0.key < $1.key }.flatMap { route, ofClass in
            StatusClass.allCases.map { status in
                (
                    [MetricFamily.Label("route", route), MetricFamily.Label("status", status.digits)],
                    ofClass[status.rawValue].reading
                )
            }
        }
        return [
            .histograms(
                "consentlink_http_request_seconds",
                "Seconds to an answer, without links; of a streamed answer, to its beginning.", readings)
        ]
    }
}

/// Times every request of a router. Stands before everything else, so that it sees the answer as it leaves.
struct RequestTimesMiddleware<Context: RequestContext>: RouterMiddleware {
    let times: RequestTimes

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        times.record(route: context.endpointPath, status: response.status, ContinuousClock.now - start)
        return response
    }
}
