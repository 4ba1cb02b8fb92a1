import CoreMetrics
import HTTPTypes
import Synchronization

/// Counts requests under the names of Hummingbird's `MetricsMiddleware`, where their answers are written.
///
/// That middleware counts in the body of an answer. If the connection is closed before the head, the request would stay
/// active for ever; and no body would be one piece any more, so each answer would take three writes instead of one.
final class ResponseMetrics: Sendable {
    private struct Kind: Hashable {
        let route: String
        let method: HTTPRequest.Method
        let status: Int
    }

    private struct Series: Sendable {
        let count: Counter
        let duration: Timer
    }

    /// These two guard the metrics, each of which is made once. A client can use only methods that the decoder knows.
    private let active = Mutex<[HTTPRequest.Method: Meter]>([:])
    private let answered = Mutex<[Kind: Series]>([:])

    /// Counts the unanswered requests with a method.
    func active(_ method: HTTPRequest.Method) -> Meter {
        active.withLock { active in
            if let known = active[method] { return known }
            let new = Meter(
                label: "http.server.active_requests", dimensions: [("http.request.method", method.rawValue)])
            active[method] = new
            return new
        }
    }

    /// The answer has ended, or its connection was closed.
    func ended(route: String, _ method: HTTPRequest.Method, status: Int, nanoseconds: Int64) {
        let kind = Kind(route: route, method: method, status: status)
        let series = answered.withLock { answered in
            if let known = answered[kind] { return known }
            let labels = [
                ("http.route", route), ("http.request.method", method.rawValue),
                ("http.response.status_code", String(status)),
            ]
            let new = Series(
                count: Counter(label: "hb.requests", dimensions: labels),
                duration: Timer(label: "http.server.request.duration", dimensions: labels))
            answered[kind] = new
            return new
        }
        series.count.increment()
        series.duration.recordNanoseconds(nanoseconds)
    }
}
