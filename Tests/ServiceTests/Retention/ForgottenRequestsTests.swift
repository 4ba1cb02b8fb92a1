import Consent
import Counting
import Identifiers
import Organizations
import StoragePorts
import Synchronization
import TestSupport
import Testing

@testable import Service

/// When a request with an `Idempotency-Key` is forgotten, so that it would have its effect again.
@Suite struct ForgottenRequestsTests {
    private static let hour: Int64 = 3_600_000

    private typealias Store = RetentionServiceTests.Store

    /// One round for each of `times`, in hours after noon.
    private func run(_ store: Store, _ times: [Int64]) async throws {
        let left = Mutex(times[...])
        let last = Mutex(Timestamp.noon + (times.last ?? 0) * Self.hour)
        store.state.withLock { $0.failures = times.map { _ in nil } }
        let now: @Sendable () -> Timestamp = {
            guard let hours = left.withLock({ $0.popFirst() }) else { return last.withLock { $0 } }
            return .noon + hours * Self.hour
        }
        let service = RetentionService(
            organizations: store, retention: store, leases: store, lag: RetentionLag(now: { .noon }),
            jobs: JobMetrics(), now: now, logger: CapturedLog().logger, interval: .zero)
        let running = Task { await service.run() }
        for await _ in store.rounds { break }
        running.cancel()
        await running.value
    }

    @Test("a request is kept for two days: a clock that goes ahead by a day costs none of the promised 24 hours")
    func lifetime() async throws {
        let store = Store()
        let made = [-48, -47, -24, 0].map { Timestamp.noon + $0 * Self.hour }
        store.state.withLock { state in
            state.trusted = .noon
            state.requests = made + Array(repeating: .noon + -100 * Self.hour, count: 1200)
        }
        try await run(store, [0])
        #expect(store.state.withLock { $0.requests } == Array(made.dropFirst()))
    }

    @Test("while the clock is not trusted no request is forgotten, nor for a day after an absence of more than a day")
    func held() async throws {
        for (trusted, isKept) in [(-23, false), (-25, true), (-400 * 24, true)] as [(Int64, Bool)] {
            let store = Store()
            store.state.withLock { state in
                state.trusted = .noon + trusted * Self.hour
                state.requests = [.noon + -1000 * 24 * Self.hour]
            }
            try await run(store, [0])
            #expect(store.state.withLock { $0.requests.count } == (isKept ? 1 : 0), "\(trusted)")
        }
    }
}
