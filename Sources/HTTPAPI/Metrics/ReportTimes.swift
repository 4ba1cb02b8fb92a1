import CoreMetrics
import Formats
import HTTPTypes
package import Redirect

/// Counts and times device reports that are answered before the router, under the same names as the router's requests.
package struct ReportTimes: AnsweredReportTimes {
    private let times: RequestTimes
    private let metrics = ResponseMetrics()

    /// - Parameter times: the times of the public listener's requests.
    package init(_ times: RequestTimes) { self.times = times }

    package func began(_ route: ReportRoute) { metrics.active(route.method).increment() }

    package func ended(_ route: ReportRoute) { metrics.active(route.method).decrement() }

    package func answered(_ route: ReportRoute, nanoseconds: Int64) {
        let (template, code) = (route.endpoint.template, route.endpoint.successCode)
        times.record(route: template, status: HTTPResponse.Status(code: code), .nanoseconds(nanoseconds))
        metrics.ended(route: template, route.method, status: code, nanoseconds: nanoseconds)
    }
}

extension ReportRoute {
    fileprivate var method: HTTPRequest.Method { isGet ? .get : .post }
}
