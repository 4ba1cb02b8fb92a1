import Counting
import HTTPTypes
import Testing
import UseCases

@testable import HTTPAPI

@Suite struct RequestTimesTests {
    @Test("a family has a histogram for each route and class of status, with cumulative buckets in seconds")
    func text() {
        let times = RequestTimes()
        times.expect(["/v1/orgs/{org}"])
        for milliseconds in [0, 1, 2, 30_000, 31_000] {
            times.record(route: "/v1/orgs/{org}", status: .created, .milliseconds(milliseconds))
        }
        let page = PrometheusLines(times)
        #expect(page.text.hasPrefix("# HELP consentlink_http_request_seconds Seconds to an answer, without links; "))
        #expect(page.text.contains("\n# TYPE consentlink_http_request_seconds histogram\n"))
        let labels = #"route="/v1/orgs/{org}",status="2xx""#
        for (bound, count) in [("0.001", 2), ("0.005", 3), ("5.0", 3), ("30.0", 4), ("+Inf", 5)] {
            #expect(
                page["consentlink_http_request_seconds_bucket{\(labels),le=\"\(bound)\"}"] == "\(count)", "\(bound)")
        }
        #expect(page["consentlink_http_request_seconds_count{\(labels)}"] == "5")
        #expect(page["consentlink_http_request_seconds_sum{\(labels)}"] == "61.003")
    }

    @Test(
        "a status counts in its class, and what is neither a client's nor the service's fault is a success",
        arguments: [
            (HTTPResponse.Status.ok, "2xx"), (.noContent, "2xx"), (.found, "2xx"), (.continue, "2xx"),
            (.badRequest, "4xx"), (.tooManyRequests, "4xx"), (.internalServerError, "5xx"),
            (.serviceUnavailable, "5xx"),
        ])
    func classes(_ status: HTTPResponse.Status, _ name: String) {
        let times = RequestTimes()
        times.record(route: nil, status: status, .milliseconds(1))
        let page = PrometheusLines(times)
        for other in ["2xx", "4xx", "5xx"] {
            let count = page["consentlink_http_request_seconds_count{route=\"none\",status=\"\(other)\"}"]
            #expect(count == (other == name ? "1" : "0"))
        }
    }

    @Test("what no template fits is counted together, so that a client cannot make families grow")
    func unknown() {
        let times = RequestTimes()
        times.expect(["/a", "/a"])
        let before = PrometheusLines(times).text.split(separator: "\n").count
        for number in 0..<100 { times.record(route: "/secret/\(number)", status: .notFound, .zero) }
        let page = PrometheusLines(times)
        #expect(page.text.split(separator: "\n").count == before)
        #expect(!page.text.contains("secret"))
        #expect(page[#"consentlink_http_request_seconds_count{route="none",status="4xx"}"#] == "100")
    }

    @Test("what is told of twice keeps what it counted")
    func again() {
        let times = RequestTimes()
        times.expect(["/a"])
        times.record(route: "/a", status: .ok, .zero)
        times.expect(["/a", "/b"])
        #expect(PrometheusLines(times)[#"consentlink_http_request_seconds_count{route="/a",status="2xx"}"#] == "1")
    }

    @Test("readiness is 1 while nothing stands in its way, as /readyz says")
    func readiness() {
        let health = SettableHealth()
        let metrics = ReadinessMetrics(health: Health { _ in health.impediments })
        #expect(PrometheusLines(metrics)["consentlink_ready"] == "1")
        health.impediments = [.diskFull]
        #expect(PrometheusLines(metrics)["consentlink_ready"] == "0")
        #expect(!PrometheusLines(metrics).text.contains("disk is full"))
    }

    @Test("a node that serves links alone is ready when links are")
    func ownScope() {
        let reasons: @Sendable (Health.Scope) -> [ReadinessReason] = { $0 == .links ? [] : [.roleMissing("api")] }
        let ready = { (door: Health.Scope) in
            PrometheusLines(ReadinessMetrics(health: Health(ownScope: door, reasons)))["consentlink_ready"]
        }
        #expect(ready(.links) == "1" && ready(.api) == "0")
    }

    @Test("a process that ends is ready for nothing")
    func departure() {
        let departure = Departure()
        let health = Health(departure: departure) { _ in [] }
        #expect(Health.Scope.allCases.allSatisfy { health.reasons($0).isEmpty })
        departure.begin()
        #expect(Health.Scope.allCases.allSatisfy { health.reasons($0) == [.stopping] })
    }
}
