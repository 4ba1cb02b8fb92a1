import SQL
import StoragePorts
import Synchronization

/// Waits until every node obeys a change: it has applied the change, or can no longer be fresh without it.
///
/// A poll that begins after the commit of a change has the change. A node without such a poll is no longer fresh one
/// lifetime after the commit, so no wait is longer. All waiting changes share the queries.
final class NodeFence: Sendable {
    private static let pause = Duration.milliseconds(5)
    private static let maximumPause = Duration.milliseconds(20)
    /// The clocks of two machines may run differently by this much in a second.
    private static let timeout = Freshness.lifetime + .milliseconds(50)

    private struct Waiter {
        let position: UInt64
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var waiters: [Waiter] = []
        var isAsking = false
        var passages = FencePassages()
        var signs = NodeSigns()
    }

    private let state = Mutex(State())
    private let signs: @Sendable () async throws -> [NodeSigns.Sign]
    private let own: @Sendable () -> UInt64

    /// - Parameters:
    ///   - signs: reads those of the other running nodes.
    ///   - own: returns up to which position this node has applied the rules.
    init(signs: @escaping @Sendable () async throws -> [NodeSigns.Sign], own: @escaping @Sendable () -> UInt64) {
        self.signs = signs
        self.own = own
    }

    /// The number of changes that wait now.
    var waiting: Int { state.withLock { $0.waiters.count } }

    /// How the waits of past changes ended.
    var passages: FencePassages { state.withLock { $0.passages } }

    func wait(for position: UInt64) async {
        await withCheckedContinuation { continuation in
            let mustAsk = state.withLock { state in
                state.waiters.append(
                    Waiter(
                        position: position, deadline: .now + Self.timeout, continuation: continuation))
                defer { state.isAsking = true }
                return !state.isAsking
            }
            guard mustAsk else { return }
            Task { await self.poll() }
        }
    }

    private func slowestOther() async throws -> UInt64 {
        let began = ContinuousClock.now
        let seen = try await signs()
        return state.withLock { $0.signs.slowest(seen, at: began) } ?? .max
    }

    private func poll() async {
        var pause = Self.pause
        while true {
            // A query that fails proves nothing; the wait still ends in time.
            let others: UInt64
            do { others = try await slowestOther() } catch { others = 0 }
            let slowest = min(others, own())
            let now = ContinuousClock.now
            let (passed, isDone) = state.withLock { state in
                let passed = state.waiters.filter { $0.position <= slowest || $0.deadline <= now }
                let known = passed.count { $0.position <= slowest }
                state.passages.known += UInt64(known)
                state.passages.expired += UInt64(passed.count - known)
                state.waiters.removeAll { $0.position <= slowest || $0.deadline <= now }
                if state.waiters.isEmpty { state.isAsking = false }
                return (passed, state.waiters.isEmpty)
            }
            for waiter in passed { waiter.continuation.resume() }
            if isDone { return }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, Self.maximumPause)
        }
    }
}
