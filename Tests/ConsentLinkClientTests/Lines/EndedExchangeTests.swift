import StubService
import Synchronization
import Testing

@testable import ConsentLinkClient

/// An exchange of lines that ends, in whatever way, leaves nothing: no task, no request and no lines.
@Suite(.timeLimit(.minutes(1))) struct EndedExchangeTests {
    /// The windows of all exchanges that a test began. It does not hold them.
    private final class Windows: Sendable {
        private struct Reference { weak var window: LineWindow? }

        private let references = Mutex<[Reference]>([])

        var count: Int { references.withLock { $0.count } }
        private var openCount: Int { references.withLock { $0.count { $0.window != nil } } }

        /// The same lines, whose windows are known here.
        func watch(_ lines: ComposedLines) -> ComposedLines {
            let answers = lines.answers
            return ComposedLines(
                answers: LineAnswers(
                    makeExchange: { record in
                        let exchange = answers.makeExchange(record)
                        self.references.withLock { $0.append(Reference(window: exchange.window)) }
                        return exchange
                    }, feed: answers.feed))
        }

        /// Tasks end some time after their reader.
        func expectNone(_ location: SourceLocation = #_sourceLocation) async throws {
            for _ in 0..<1000 where openCount > 0 { try await Task.sleep(for: .milliseconds(10)) }
            #expect(openCount == 0, sourceLocation: location)
        }
    }

    private struct Fault: Error {}

    private let order = PayloadOrder(Message(name: "sale", link: "https://shop.example/"), format: .plain)
    private let windows = Windows()

    private func lines(
        _ base: String, _ recipients: some AsyncSequence<String, any Error> & Sendable,
        patience: Duration = .seconds(60)
    ) throws -> ComposedLines {
        windows.watch(try OrganizationAPI.quick(base).compose(order, forEach: recipients, patience: patience))
    }

    /// Gives a recipient and waits for the next until its task is cancelled.
    private struct OpenSource: AsyncSequence, Sendable {
        struct Iterator: AsyncIteratorProtocol {
            var isFirst = true

            mutating func next() async throws -> String? {
                if !isFirst { try await Task.sleep(for: .seconds(86_400)) }
                isFirst = false
                return "ana"
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator() }
    }

    @Test("a loop that is left while more recipients may come leaves nothing")
    func left() async throws {
        try await LineService.with { _, base in
            for try await _ in try lines(base, OpenSource()) { break }
            try await windows.expectNone()
        }
        #expect(windows.count == 1)
    }

    @Test("a loop that is left while a thousand recipients are not answered leaves nothing")
    func leftUnanswered() async throws {
        let people = (0..<3000).map { "\($0)" }
        try await LineService.with { _, base in
            let composed = windows.watch(try OrganizationAPI.quick(base).compose(order, forEach: people))
            for try await _ in composed { break }
            try await windows.expectNone()
        }
    }

    @Test("a reader that is cancelled leaves nothing")
    func cancelled() async throws {
        try await LineService.with { _, base in
            let (begun, beginning) = AsyncStream<Void>.makeStream()
            let reading = Task {
                for try await _ in try lines(base, OpenSource()) { beginning.yield() }
                try Task.checkCancellation()
            }
            for await _ in begun { break }
            reading.cancel()
            await #expect(throws: CancellationError.self) { try await reading.value }
            try await windows.expectNone()
        }
    }

    @Test("an order that is refused leaves nothing", arguments: [401, 403, 422])
    func refused(_ status: Int) async throws {
        var plan = LineService.Plan()
        plan.refusals[0] = .problem(status, "no")
        try await LineService.with(plan) { _, base in
            let error = try await #require(throws: ConsentLinkError.self) {
                for try await _ in try lines(base, OpenSource()) {}
            }
            #expect(error.problem?.status == status)
            try await windows.expectNone()
        }
    }

    @Test("a key that is deleted while lines are sent leaves nothing")
    func keyDeleted() async throws {
        var plan = LineService.Plan()
        plan.answer = { _, _ in #"{"error":{"status":401,"detail":"The key was deleted."}}"# }
        try await LineService.with(plan) { _, base in
            let error = try await #require(throws: ConsentLinkError.self) {
                for try await _ in try lines(base, OpenSource()) {}
            }
            #expect(error.problem?.status == 401)
            try await windows.expectNone()
        }
    }

    @Test("patience that is used up leaves nothing")
    func silent() async throws {
        var plan = LineService.Plan()
        plan.isSilent = true
        try await LineService.with(plan) { _, base in
            await #expect(throws: ConsentLinkError.unreachable(reason: "it was silent for too long")) {
                for try await _ in try lines(base, OpenSource(), patience: .milliseconds(600)) {}
            }
            try await windows.expectNone()
        }
    }

    @Test("recipients that end with an error leave nothing")
    func failingSource() async throws {
        let (people, source) = AsyncThrowingStream<String, any Error>.makeStream()
        source.yield("ana")
        try await LineService.with { _, base in
            await #expect(throws: Fault.self) {
                for try await _ in try lines(base, people) { source.finish(throwing: Fault()) }
            }
            try await windows.expectNone()
        }
    }

    @Test("answers that are all read leave nothing, over however many connections", arguments: [[], [0, 1, 700]])
    func done(_ cuts: [Int]) async throws {
        var plan = LineService.Plan()
        plan.cuts = cuts
        let people = (0..<3000).map { "\($0)" }
        try await LineService.with(plan) { _, base in
            var count = 0
            for try await _ in windows.watch(try OrganizationAPI.quick(base).compose(order, forEach: people)) {
                count += 1
            }
            #expect(count == people.count)
            try await windows.expectNone()
        }
    }

    /// Waits for its next element whether or not its task is cancelled, as a sequence does that reads from a pipe.
    private final class DeafSource: AsyncSequence, AsyncIteratorProtocol, Sendable {
        private typealias Waiting = CheckedContinuation<String?, any Error>

        /// Guards who waits, and whether the sequence has come to its end.
        private let state = Mutex((waiting: Waiting?.none, hasEnded: false))

        func next() async throws -> String? {
            try await withCheckedThrowingContinuation { (continuation: Waiting) in
                let hasEnded = state.withLock { state in
                    if !state.hasEnded { state.waiting = continuation }
                    return state.hasEnded
                }
                if hasEnded { continuation.resume(returning: nil) }
            }
        }

        func makeAsyncIterator() -> DeafSource { self }

        func end() {
            let waiting = state.withLock { state in
                state.hasEnded = true
                return state.waiting.take()
            }
            waiting?.resume(returning: nil)
        }
    }

    @Test("a refusal is told at once, also where the next recipient does not come")
    func blockedSource() async throws {
        var plan = LineService.Plan()
        plan.refusals[0] = .problem(422, "no such format")
        let people = DeafSource()
        try await LineService.with(plan) { _, base in
            let error = try await #require(throws: ConsentLinkError.self) {
                for try await _ in try lines(base, people) {}
            }
            #expect(error.problem?.detail == "no such format")
            people.end()
            try await windows.expectNone()
        }
    }
}
