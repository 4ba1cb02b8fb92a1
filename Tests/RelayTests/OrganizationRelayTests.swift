import StubService
import Testing
import Webhooks

@testable import Relay

/// What a relay does and says when the service refuses it.
@Suite struct OrganizationRelayTests {
    /// Runs a relay that gets one delivery, and stops it at the first line of its log.
    /// - Parameter report: what the service answers to the report.
    private func deliverOnce(
        answering report: StubServer.Reply, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) async throws -> (log: [String], sent: [String], asked: [String]) {
        try await StubServer.with({ _, _ in StubServer.Reply(status: 204) }) { endpoint in
            let delivery = RelayFixture.delivery("AAAA", of: "one", to: "\(endpoint.base)/hooks")
            return try await StubServer.with({ request, _ in
                guard request.path.hasSuffix("/take") else { return report }
                return .json(#"{"deliveries":[\#(delivery)],"waitedMilliseconds":0}"#)
            }) { service in
                let fixture = try RelayFixture(service, now: now)
                fixture.log.onLine { [stop = fixture.stop] _ in stop.raise() }
                await fixture.relay.run()
                return (fixture.log.lines, endpoint.requests.map(\.path), service.requests.map(\.path))
            }
        }
    }

    @Test(
        "a report that the service refuses is logged, a lost lease as such",
        arguments: [
            (400, "error: the service refused a report"), (403, "error: the service refused a report"),
            (422, "error: the service refused a report"), (409, "warning: the lease of a delivery was lost"),
        ])
    func refusedReport(_ status: Int, _ line: String) async throws {
        let (log, sent, _) = try await deliverOnce(answering: .problem(status, "no"))
        #expect(log.first == line)
        #expect(sent.first == "/hooks")
    }

    @Test("a relay that stood still sends nothing with a lease that ended meanwhile, and says so")
    func suspended() async throws {
        let (log, sent, asked) = try await deliverOnce(answering: .problem(500, "no")) { .now + .seconds(60) }
        #expect(log.first == "warning: a delivery was not sent, and is tried again later")
        #expect(sent.isEmpty)
        #expect(!asked.contains { $0.hasSuffix("/report") })
    }

    @Test("a relay that runs twice says so, and a stop does not wait for its pause")
    func superseded() async throws {
        let log = try await StubServer.with({ _, _ in .problem(409, "This relay runs twice.") }) { service in
            let fixture = try RelayFixture(service)
            fixture.log.onLine { [stop = fixture.stop] _ in stop.raise() }
            await fixture.relay.run()
            return fixture.log.lines
        }
        let line = "this relay runs twice: another process with the same folder began later. This one waits"
        #expect(log == ["error: \(line)"])
    }

    @Test("a relay that the service refuses says so, and not that there is no answer", arguments: [401, 403, 404, 500])
    func refusedTake(_ status: Int) async throws {
        let log = try await StubServer.with({ _, _ in .problem(status, "no") }) { service in
            let fixture = try RelayFixture(service)
            fixture.log.onLine { [stop = fixture.stop] _ in stop.raise() }
            await fixture.relay.run()
            return fixture.log.lines
        }
        #expect(log == ["error: the service refuses to give this relay deliveries"])
    }

    @Test(
        "a report has no more milliseconds than the service takes",
        arguments: [(-1, 0), (7, 7), (600_000, 600_000), (600_001, 600_000), (Int.max, 600_000)])
    func milliseconds(_ taken: Int, _ told: Int) async throws {
        let body = try await StubServer.with({ _, _ in .json(#"{"stopped":null,"next":null}"#) }) { service in
            _ = try await RelayFixture(service).calls.report(
                .failed(.timedOut), of: "AAAA", milliseconds: taken, wantsNext: true)
            return service.requests.first?.body ?? ""
        }
        #expect(body.contains(#""milliseconds":\#(told),"#))
    }
}
