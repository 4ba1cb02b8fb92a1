import NIOHTTP1
import StubService
import Testing

@testable import ConsentLinkClient

/// A service that begins to answer, says nothing more and keeps the connection open.
@Suite(.timeLimit(.minutes(1))) struct SilentServiceTests {
    private let order = PayloadOrder(.stored("m"), format: .plain)

    /// Answers that are read piece by piece.
    enum Stream: CaseIterable, Sendable {
        case decisions, interactions, consentChanges, decisionTable, interactionTable, audit

        /// - Returns: how many lines or pieces came, and the errors of asking for more twice.
        func read(_ acme: OrganizationAPI) async throws -> (count: Int, errors: [ConsentLinkError]) {
            switch self {
            case .decisions: try await Self.read(acme.exportDecisions())
            case .interactions: try await Self.read(acme.exportInteractions())
            case .consentChanges: try await Self.read(acme.exportConsentChanges())
            case .decisionTable: try await Self.read(acme.exportDecisionTable())
            case .interactionTable: try await Self.read(acme.exportInteractionTable())
            case .audit: try await Self.read(acme.exportAudit())
            }
        }

        private static func read<Pieces: AsyncSequence>(
            _ pieces: Pieces
        ) async throws -> (count: Int, errors: [ConsentLinkError]) {
            var (iterator, count) = (pieces.makeAsyncIterator(), 0)
            var errors: [ConsentLinkError] = []
            while errors.count < 2 {
                do {
                    guard try await iterator.next() != nil else { break }
                    count += 1
                } catch let error as ConsentLinkError { errors.append(error) }
            }
            return (count, errors)
        }
    }

    private static let silent = ConsentLinkError.brokenOff(reason: "it was silent for too long")

    @Test("a stream that goes silent before its first piece breaks off, and stays so", arguments: Stream.allCases)
    func noPiece(_ stream: Stream) async throws {
        try await StubServer.with({ _, _ in .init(stalls: true) }) { server in
            let (count, errors) = try await stream.read(.impatient(server.base))
            #expect((count, errors) == (0, [Self.silent, Self.silent]))
            #expect(server.requests.count == 1)
        }
    }

    @Test("a stream that goes silent between two pieces breaks off, and stays so")
    func somePieces() async throws {
        let line = FeedTests.interaction(1) + "\n"
        for stream in [Stream.interactions, .audit] {
            try await StubServer.with({ _, _ in .init(body: line, stalls: true) }) { server in
                let (count, errors) = try await stream.read(.impatient(server.base))
                #expect((count, errors) == (1, [Self.silent, Self.silent]))
            }
        }
    }

    @Test("a stream whose connection broke is not at its end when it is asked again")
    func broken() async throws {
        let line = FeedTests.interaction(1) + "\n"
        try await StubServer.with({ _, _ in .init(body: line, breaksOff: true) }) { server in
            let (count, errors) = try await Stream.interactions.read(.quick(server.base))
            #expect((count, errors.count) == (1, 2))
            #expect(Set(errors).count == 1)
        }
    }

    @Test("a refusal whose document does not come to its end has its status")
    func refusal() async throws {
        let order = order
        let calls: [@Sendable (OrganizationAPI) async throws -> Void] = [
            { _ = try await $0.ledger() },
            { for try await _ in try $0.exportInteractions() {} },
            { for try await _ in try $0.compose(order, forEach: ["ana"]) {} },
        ]
        for call in calls {
            let reply = StubServer.Reply(status: 403, body: #"{"status":"#, stalls: true)
            try await StubServer.with({ _, _ in reply }) { server in
                let error = try await #require(throws: ConsentLinkError.self) {
                    try await call(.impatient(server.base))
                }
                #expect(error.problem?.status == 403)
                #expect(server.requests.count == 1)
            }
        }
    }

    @Test("a refusal whose document does not come is told before a short patience ends")
    func shortPatience() async throws {
        let reply = StubServer.Reply(status: 403, body: #"{"status":"#, stalls: true)
        try await StubServer.with({ _, _ in reply }) { server in
            let transport = try ConsentLinkAPI.quick(server.base).transport
            let error = try await #require(throws: ConsentLinkError.self) {
                _ = try await transport.answer(to: APIRequest(.GET, "/", patience: .seconds(2)))
            }
            #expect(error.problem?.status == 403)
        }
    }

    @Test("lines that are all answered are done, though the answer does not end", arguments: [0, 1, 3000])
    func noEnd(_ count: Int) async throws {
        var plan = LineService.Plan()
        plan.hasNoEnd = true
        let people = (0..<count).map { "\($0)@people.example" }
        try await LineService.with(plan) { service, base in
            var recipients: [String] = []
            let lines = try OrganizationAPI.quick(base).compose(order, forEach: people, patience: .seconds(5))
            for try await case .payload(let payload) in lines { recipients.append(try payload.parsed().recipient) }
            #expect(recipients == people)
            #expect(service.connections == 1)
        }
    }

    @Test("recipients that come later than patience lasts are composed: nothing is due while there are none")
    func slowRecipients() async throws {
        try await LineService.with { service, base in
            let (stream, source) = AsyncStream<String>.makeStream()
            let giving = Task {
                source.yield("ana")
                try await Task.sleep(for: .seconds(7))
                source.yield("bo")
                source.finish()
            }
            var recipients: [String] = []
            let lines = try OrganizationAPI.quick(base).compose(order, forEach: stream, patience: .seconds(5))
            for try await case .payload(let payload) in lines { recipients.append(try payload.parsed().recipient) }
            #expect(recipients == ["ana", "bo"])
            #expect(service.connections == 1)
            try await giving.value
        }
    }

    @Test("a connection that breaks is made again, however long nothing was due on it")
    func breakWhileIdle() async throws {
        try await LineService.with { service, base in
            let (stream, source) = AsyncStream<String>.makeStream()
            let giving = Task {
                source.yield("ana")
                try await Task.sleep(for: .seconds(4))
                try await service.breakConnections()
                source.yield("bo")
                source.finish()
            }
            var recipients: [String] = []
            let lines = try OrganizationAPI.quick(base).compose(order, forEach: stream, patience: .seconds(2))
            for try await case .payload(let payload) in lines { recipients.append(try payload.parsed().recipient) }
            #expect(recipients == ["ana", "bo"])
            #expect(service.connections == 2)
            try await giving.value
        }
    }
}
