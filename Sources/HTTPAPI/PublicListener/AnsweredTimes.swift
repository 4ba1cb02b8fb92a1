import CoreMetrics
import Formats
import HTTPTypes
import Hummingbird
package import Redirect

/// Counts and times device reports and pictures that are answered before the router, under the same names as the
/// router's requests.
package struct AnsweredTimes: AnsweredRouteTimes {
    private let times: RequestTimes
    private let metrics = ResponseMetrics()

    /// - Parameter times: the times of the public listener's requests.
    package init(_ times: RequestTimes) { self.times = times }

    package func began(_ route: AnsweredRoute) { metrics.active(route.method).increment() }

    package func ended(_ route: AnsweredRoute) { metrics.active(route.method).decrement() }

    package func answered(_ route: AnsweredRoute, nanoseconds: Int64) {
        times.record(
            route: route.template, status: HTTPResponse.Status(code: route.successCode), .nanoseconds(nanoseconds))
        metrics.ended(route: route.template, route.method, status: route.successCode, nanoseconds: nanoseconds)
    }
}

extension AnsweredRoute {
    private static let picture = OpenPixelRoutes.path.description

    fileprivate var method: HTTPRequest.Method {
        switch self {
        case .report(let route): route.isGet ? .get : .post
        case .picture: .get
        }
    }

    fileprivate var template: String {
        switch self {
        case .report(let route): route.endpoint.template
        case .picture: Self.picture
        }
    }

    fileprivate var successCode: Int {
        switch self {
        case .report(let route): route.endpoint.successCode
        case .picture: 200
        }
    }
}
