import Formats
import Testing

@testable import HTTPAPI
@testable import Redirect

@Suite struct AnsweredTimesTests {
    @Test("a report that is answered before the router is timed under its route", arguments: DeviceEndpoint.allCases)
    func route(_ endpoint: DeviceEndpoint) {
        let times = RequestTimes()
        times.expect(DeviceEndpoint.allCases.map(\.template))
        AnsweredTimes(times).answered(
            .report(ReportRoute(endpoint: endpoint, isGet: endpoint.takesGet)), nanoseconds: 2_000_000)
        let page = PrometheusLines(times)
        for other in DeviceEndpoint.allCases {
            let count = page[
                "consentlink_http_request_seconds_count{route=\"\(other.template)\",status=\"2xx\"}"]
            #expect(count == (other == endpoint ? "1" : "0"))
        }
        #expect(
            page["consentlink_http_request_seconds_sum{route=\"\(endpoint.template)\",status=\"2xx\"}"] == "0.002")
    }

    @Test("a picture that is answered before the router is timed under its route")
    func picture() {
        let times = RequestTimes()
        times.expect(["/o/{image}", "/p/{trackingId}"])
        AnsweredTimes(times).answered(.picture, nanoseconds: 2_000_000)
        let page = PrometheusLines(times)
        for (route, count) in [("/o/{image}", "1"), ("/p/{trackingId}", "0"), ("none", "0")] {
            #expect(page["consentlink_http_request_seconds_count{route=\"\(route)\",status=\"2xx\"}"] == count)
        }
    }
}
