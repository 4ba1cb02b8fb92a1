import StubService
import Synchronization
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

    @Test("a report that the service cannot take now is repeated until it is taken", arguments: [429, 500, 503])
    func repeatedReport(_ status: Int) async throws {
        let reports = Atomic(0)
        try await StubServer.with({ _, _ in StubServer.Reply(status: 204) }) { endpoint in
            let delivery = RelayFixture.delivery("AAAA", of: "one", to: "\(endpoint.base)/hooks")
            try await StubServer.with({ request, number in
                if request.path.hasSuffix("/report") {
                    let count = reports.add(1, ordering: .relaxed).newValue
                    return count == 1 ? .problem(status, "no") : .json(#"{"stopped":null,"next":null}"#)
                }
                guard number == 1 else { return .problem(500, "no") }
                return .json(#"{"deliveries":[\#(delivery)],"waitedMilliseconds":0}"#)
            }) { service in
                let fixture = try RelayFixture(service)
                let running = Task { await fixture.relay.run() }
                // The refusal of the second request for deliveries is logged in any case.
                for _ in 0..<500 where reports.load(ordering: .relaxed) < 2 && fixture.log.lines.count < 2 {
                    try await Task.sleep(for: .milliseconds(10))
                }
                fixture.stop.raise()
                await running.value
                #expect(!fixture.log.lines.contains("error: the service refused a report"))
                #expect(endpoint.requests.count == 1)
            }
        }
        let count = reports.load(ordering: .relaxed)
        #expect(count == 2)
    }

    @Test("a relay that stood still sends nothing with a lease that ended meanwhile, and says so")
    func suspended() async throws {
        let (log, sent, asked) = try await deliverOnce(answering: .problem(500, "no")) { .now + .seconds(60) }
        #expect(log.first == "warning: a delivery was not sent, and is tried again later")
        #expect(sent.isEmpty)
        #expect(!asked.contains { $0.hasSuffix("/report") })
    }

    /// Runs a relay that once gets deliveries, until its endpoint got `count` requests or something is logged.
    /// - Parameters:
    ///   - deliveries: of the endpoint's address.
    ///   - renewal: what the service answers to a request for a delivery anew.
    private func deliver(
        _ deliveries: @escaping @Sendable (_ url: String) -> [String], count: Int,
        renewal: @escaping @Sendable (_ url: String) -> StubServer.Reply,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) async throws -> (log: [String], sent: [String], asked: [String]) {
        try await StubServer.with({ _, _ in StubServer.Reply(status: 204) }) { endpoint in
            let url = "\(endpoint.base)/hooks"
            return try await StubServer.with({ request, number in
                if request.path.hasSuffix("/renew") { return renewal(url) }
                if request.path.hasSuffix("/report") { return .json(#"{"stopped":null,"next":null}"#) }
                guard number == 1 else { return .problem(500, "no") }
                return .json(
                    #"{"deliveries":[\#(deliveries(url).joined(separator: ","))],"waitedMilliseconds":0}"#)
            }) { service in
                let fixture = try RelayFixture(service, now: now)
                let running = Task { await fixture.relay.run() }
                // The refusal of the second request for deliveries is logged in any case.
                for _ in 0..<500 where endpoint.requests.count < count && fixture.log.lines.count < 2 {
                    try await Task.sleep(for: .milliseconds(10))
                }
                fixture.stop.raise()
                await running.value
                return (fixture.log.lines, endpoint.requests.map(\.body), service.requests.map(\.path))
            }
        }
    }

    @Test("a delivery that comes while its endpoint is busy is sent as the service renders it then")
    func busy() async throws {
        let (_, sent, asked) = try await deliver(
            { url in
                ["AAAA", "BBBB"].map { RelayFixture.delivery($0, of: "one", to: url, body: "[\($0.utf8.count)]") }
            }, count: 2,
            renewal: { .json(RelayFixture.delivery("BBBB", of: "one", to: $0, body: "[0]")) })
        #expect(sent == ["[4]", "[0]"])
        #expect(asked.count { $0.hasSuffix("/renew") } == 1)
    }

    @Test("a body that is older than a second when there is a connection is rendered anew before it is sent")
    func old() async throws {
        let (_, sent, _) = try await deliver(
            { [RelayFixture.delivery("AAAA", of: "one", to: $0, body: "[1]")] }, count: 1,
            renewal: { .json(RelayFixture.delivery("AAAA", of: "one", to: $0, body: "[2]")) },
            now: { .now + .seconds(2) })
        #expect(sent == ["[2]"])
    }

    @Test("a young body is sent as it is")
    func young() async throws {
        let (_, sent, asked) = try await deliver(
            { [RelayFixture.delivery("AAAA", of: "one", to: $0, body: "[1]")] }, count: 1,
            renewal: { _ in .problem(500, "no") })
        #expect(sent == ["[1]"] && !asked.contains { $0.hasSuffix("/renew") })
    }

    @Test(
        "an old body that the service does not render anew is not sent, and nothing is reported",
        arguments: [
            (409, "notice: a delivery was not sent, because its endpoint was changed"),
            (404, "warning: a delivery was not sent, and is tried again later"),
            (503, "warning: a delivery was not sent, and is tried again later"),
        ])
    func notRenewed(_ status: Int, _ line: String) async throws {
        let (log, sent, asked) = try await deliver(
            { [RelayFixture.delivery("AAAA", of: "one", to: $0)] }, count: 1,
            renewal: { _ in .problem(status, "no") }, now: { .now + .seconds(2) })
        #expect(log.contains(line) && sent.isEmpty)
        #expect(!asked.contains { $0.hasSuffix("/report") })
    }

    @Test("a delivery that the service renders anew for another address is not sent to the one that is connected")
    func otherAddress() async throws {
        let (log, sent, _) = try await deliver(
            { [RelayFixture.delivery("AAAA", of: "one", to: $0)] }, count: 1,
            renewal: { .json(RelayFixture.delivery("AAAA", of: "one", to: $0 + "/other")) },
            now: { .now + .seconds(2) })
        #expect(log.contains("notice: a delivery was not sent, because its endpoint was changed") && sent.isEmpty)
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

    @Test("that the service does not answer is said once for all organizations, and so is that it answers again")
    func outage() async throws {
        try await StubServer.with({ _, number in
            number <= 4 ? StubServer.Reply(isSilent: true) : .json(#"{"deliveries":[],"waitedMilliseconds":0}"#)
        }) { service in
            let first = try RelayFixture(service)
            let second = try RelayFixture(service, outage: first.outage)
            let running = [first, second].map { fixture in Task { await fixture.relay.run() } }
            for _ in 0..<500 where service.requests.count < 6 || first.log.lines.count < 2 {
                try await Task.sleep(for: .milliseconds(10))
            }
            for fixture in [first, second] { fixture.stop.raise() }
            for task in running { await task.value }
            #expect(first.log.lines == ["error: the service does not answer", "notice: the service answers again"])
            #expect(second.log.lines.isEmpty)
        }
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
