import StubService
import Synchronization
import Testing

@testable import ConsentLinkClient

/// The service is never more than a thousand lines ahead of the task that reads.
@Suite struct ComposingAheadTests {
    private let order = PayloadOrder(.stored("m"), format: .plain)
    private let people = (0..<5000).map { "\($0)@people.example" }

    /// Goes to another service and back, so often that what is on its way comes.
    private func lookAway(_ other: StubServer) async throws {
        for _ in 0..<20 { _ = try await OrganizationAPI.quick(other.base).checkpoint() }
    }

    @Test("a reader that stops to think is not run away from", arguments: [[], [1500, 700]] as [[Int]])
    func thinking(_ cuts: [Int]) async throws {
        var plan = LineService.Plan()
        plan.cuts = cuts
        try await StubServer.with({ _, _ in .init(body: "x") }) { other in
            try await LineService.with(plan) { service, base in
                var taken = 0
                for try await _ in try OrganizationAPI.quick(base).compose(order, forEach: people) {
                    if taken.isMultiple(of: 1000) { try await lookAway(other) }
                    taken += 1
                    // What came on a connection that broke and was not read came for nothing.
                    if cuts.isEmpty { #expect(service.recipientCount <= taken + LineWindow.maximumUnansweredCount) }
                }
                #expect(taken == people.count)
                let lost = service.recipientCount - people.count
                #expect((0...cuts.count * LineWindow.maximumUnansweredCount).contains(lost))
            }
        }
    }

    @Test("lines are answered when they were handed on, and not while they are")
    func delivery() async throws {
        try await LineService.with { service, base in
            let exchange = LineExchange(
                transport: try OrganizationAPI.quick(base).transport, path: "/p", order: Array("{}\n".utf8),
                patience: .seconds(60))
            async let feeding: Void = {
                try await LineSource.recipients.give(people, to: exchange.window)
                exchange.window.end()
            }()
            let taken = Mutex(0)
            try await exchange.run { lines in
                let before = taken.withLock { $0 }
                #expect(exchange.window.answeredCount == before)
                #expect(service.recipientCount <= before + LineWindow.maximumUnansweredCount)
                await Task.yield()
                #expect(exchange.window.answeredCount == before)
                taken.withLock { $0 += lines.count }
            }
            try await feeding
            #expect(taken.withLock { $0 } == people.count)
        }
    }
}
