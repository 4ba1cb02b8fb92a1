import StubService
import Synchronization
import TestSupport
import Testing

@testable import ConsentLinkClient

@Suite struct ComposedLinesTests {
    private let order = PayloadOrder(Message(name: "sale", link: "https://shop.example/"), format: .plain)

    private func recipients(_ count: Int) -> [String] { (0..<count).map { "\($0)@people.example" } }

    /// Reads to the end.
    private func read(_ lines: ComposedLines) async throws -> (recipients: [String], refused: [Problem]) {
        var (recipients, refused): ([String], [Problem]) = ([], [])
        for try await line in lines {
            switch line {
            case .payload(let payload): recipients.append(try payload.parsed().recipient)
            case .refused(let problem): refused.append(problem)
            }
        }
        return (recipients, refused)
    }

    @Test("each recipient is answered, in order, and the service is never more than a thousand behind")
    func whole() async throws {
        try await LineService.with { service, base in
            let lines = try OrganizationAPI.quick(base).compose(order, forEach: recipients(5000))
            #expect(try await read(lines).recipients == recipients(5000))
            #expect((lines.message, lines.connections, service.connections) == ("m1", 1, 1))
            #expect(service.maximumUnansweredCount <= LineWindow.maximumUnansweredCount)
            #expect(
                service.orders == [
                    #"{"format":"plain","message":{"link":"https://shop.example/","name":"sale"}}"#
                ])
        }
    }

    @Test("connections that break ten times leave nobody out and give nobody twice", arguments: [1, 2, 3] as [UInt64])
    func cut(_ seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var plan = LineService.Plan()
        plan.cuts = [0, 1] + (0..<8).map { _ in Int.random(in: 2...3000, using: &generator) }
        let people = recipients(40_000)
        try await LineService.with(plan) { service, base in
            let lines = try OrganizationAPI.quick(base).compose(order, forEach: people)
            #expect(try await read(lines).recipients == people)
            #expect(lines.connections == 11)
            // Each connection begins behind what was read of the one before, which is at most what was answered on it.
            var (begin, cuts) = (0, plan.cuts[...])
            for sent in service.recipients.dropFirst() {
                let first = try #require(people.firstIndex { "\"\($0)\"" == sent.first })
                #expect((begin...begin + (cuts.popFirst() ?? 0)).contains(first))
                begin = first
            }
        }
    }

    @Test("answers are iterated once: a second time, and a second task, get an error and send nothing")
    func twice() async throws {
        try await LineService.with { service, base in
            let acme = try OrganizationAPI.quick(base)
            let (source, more) = AsyncStream<String>.makeStream()
            for recipient in recipients(3) { more.yield(recipient) }
            more.finish()
            let lines = try acme.compose(order, forEach: source)
            #expect(try await read(lines).recipients == recipients(3))
            let beside = try acme.compose(order, forEach: recipients(3))
            var first = beside.makeAsyncIterator()
            _ = try await first.next()
            for again in [lines, beside] {
                let error = await #expect(throws: ConsentLinkError.self) { _ = try await read(again) }
                guard case .invalidArgument? = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
            }
            var rest = 0
            while try await first.next() != nil { rest += 1 }
            #expect((rest, service.connections) == (2, 2))
        }
    }

    @Test("recipients that come one by one are composed as they come")
    func asynchronous() async throws {
        try await LineService.with { _, base in
            let (stream, source) = AsyncStream<String>.makeStream()
            let lines = try OrganizationAPI.quick(base).compose(order, forEach: stream)
            var iterator = lines.makeAsyncIterator()
            for recipient in recipients(3) {
                source.yield(recipient)
                guard case .payload(let payload) = try await iterator.next() else {
                    Issue.record("no payload")
                    return
                }
                #expect(try payload.parsed().recipient == recipient)
            }
            source.finish()
            #expect(try await iterator.next() == nil)
        }
    }

    @Test("names with quotes and controls are what they were")
    func names() async throws {
        let people = ["a\"b", "c\\d", "é\u{1}", "日本"]
        try await LineService.with { _, base in
            let answered = try await read(try OrganizationAPI.quick(base).compose(order, forEach: people))
            #expect(answered.recipients == people)
        }
    }

    @Test("a refused recipient is told with its problem, and the others are composed")
    func refused() async throws {
        var plan = LineService.Plan()
        let usual = plan.answer
        plan.answer = { recipient, time in
            recipient == "\"\"" ? #"{"error":{"status":422,"detail":"empty"}}"# : usual(recipient, time)
        }
        try await LineService.with(plan) { _, base in
            let (people, refused) = try await read(
                try OrganizationAPI.quick(base).compose(order, forEach: ["ana", "", "bo"]))
            #expect(people == ["ana", "bo"])
            #expect(refused.map(\.detail) == ["empty"])
        }
    }

    @Test("a line that could not be stored is sent again, with what is behind it")
    func unavailable() async throws {
        var plan = LineService.Plan()
        let usual = plan.answer
        plan.answer = { recipient, time in
            recipient == "\"bo\"" && time < 3 ? #"{"error":{"status":503,"detail":"x"}}"# : usual(recipient, time)
        }
        try await LineService.with(plan) { service, base in
            let pauser = Pauser()
            let lines = try OrganizationAPI.quick(base, pauser).compose(order, forEach: ["ana", "bo", "cy"])
            #expect(try await read(lines).recipients == ["ana", "bo", "cy"])
            #expect(service.recipients.map(\.first) == ["\"ana\"", "\"bo\"", "\"bo\""])
            #expect(pauser.pauses.count == 2)
        }
    }

    @Test("lines count as answered when the reader comes back for more")
    func backPressure() async throws {
        try await LineService.with { _, base in
            let api = try OrganizationAPI.quick(base)
            let exchange = LineExchange(
                transport: api.transport, path: "/p", order: Array("{}\n".utf8), patience: .seconds(60))
            let people = recipients(3000)
            let run = LineRun(exchange) { try await LineSource.recipients.give(people, to: $0) }
            var taken = 0
            while let lines = try await run.next() {
                #expect(exchange.window.answeredCount == taken)
                taken += lines.count
            }
            #expect((taken, exchange.window.answeredCount) == (3000, 3000))
        }
    }

    @Test("a reader that stops ends the connection")
    func stopped() async throws {
        let given = Mutex(0)
        try await LineService.with { _, base in
            let endless = AsyncStream<String> {
                given.withLock { $0 += 1 }; return "ana"
            }
            for try await _ in try OrganizationAPI.quick(base).compose(order, forEach: endless) { break }
        }
        // The window holds 5,000 lines; the sender stops with the reader.
        #expect(given.withLock { $0 } < 20_000)
    }

    @Test("what the recipients' sequence throws is thrown")
    func failingSource() async throws {
        struct Fault: Error {}
        let failing = AsyncThrowingStream<String, any Error> { source in
            source.yield("ana")
            source.finish(throwing: Fault())
        }
        _ = try await LineService.with { _, base in
            await #expect(throws: Fault.self) {
                _ = try await read(try OrganizationAPI.quick(base).compose(order, forEach: failing))
            }
        }
    }

    @Test("a service that refuses the order, or is not there, is not waited for")
    func noService() async throws {
        try await StubServer.with({ _, _ in .problem(422, "no such format") }) { server in
            let error = try await #require(throws: ConsentLinkError.self) {
                _ = try await read(try OrganizationAPI.quick(server.base).compose(order, forEach: ["ana"]))
            }
            #expect(error.problem?.detail == "no such format")
            #expect(server.requests.count == 1)
        }
        let base = try await StubServer.nowhere()
        await #expect(throws: ConsentLinkError.notConnected(reason: "connection refused")) {
            _ = try await read(try OrganizationAPI.quick(base).compose(order, forEach: ["ana"]))
        }
    }

    @Test("a service that cannot just now is asked again, no earlier than it says")
    func busy() async throws {
        let busy = StubServer.Reply(status: 503, headers: [("Retry-After", "3")])
        try await StubServer.with({ _, count in count < 3 ? busy : .problem(422, "no") }) { server in
            let pauser = Pauser()
            await #expect(throws: ConsentLinkError.self) {
                _ = try await read(try OrganizationAPI.quick(server.base, pauser).compose(order, forEach: ["ana"]))
            }
            #expect(pauser.pauses == [.seconds(3), .seconds(3)])
        }
    }

    @Test(
        "without patience what works is taken, and a connection that breaks is not followed by another",
        arguments: [0, -1])
    func noPatience(_ seconds: Int) async throws {
        try await LineService.with { _, base in
            let lines = try OrganizationAPI.quick(base).compose(
                order, forEach: recipients(3000), patience: .seconds(seconds))
            #expect(try await read(lines).recipients == recipients(3000))
        }
        var plan = LineService.Plan()
        plan.cuts = [700]
        try await LineService.with(plan) { service, base in
            let lines = try OrganizationAPI.quick(base).compose(
                order, forEach: recipients(3000), patience: .seconds(seconds))
            let error = try await #require(throws: ConsentLinkError.self) { _ = try await read(lines) }
            #expect(error.mayHaveBeenDone)
            #expect(service.connections == 1)
        }
    }

    @Test("a service that takes lines and answers none is given up when patience ends")
    func silent() async throws {
        var plan = LineService.Plan()
        plan.isSilent = true
        _ = try await LineService.with(plan) { _, base in
            await #expect(throws: ConsentLinkError.unreachable(reason: "it was silent for too long")) {
                _ = try await read(
                    try OrganizationAPI.quick(base).compose(order, forEach: ["ana"], patience: .milliseconds(600)))
            }
        }
    }
}
