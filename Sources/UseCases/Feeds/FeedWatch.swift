package import Identifiers
package import StoragePorts
import Waiting

/// Lets requests wait until there may be more in a feed.
///
/// A waiting request is a suspended task without a thread. While requests wait, one task of the process asks the
/// storage every fifth of a second whether any node has committed something. If so, each request reads its feed again.
/// So a storage is asked five times a second for all requests together, and at most five times a second for each of
/// them.
package final class FeedWatch: Sendable {
    /// Seconds for which a request may wait.
    package static let allowedWait = 0...30
    private static let interval = Duration.milliseconds(200)

    private struct State {
        /// Counts the changes of the storage.
        var changes: UInt64 = 0
        /// When the storage was last asked.
        var now = ContinuousClock.now
        var requests: [OrganizationID: Int] = [:]
        var allRequests = 0
        var hasEnded = false
    }

    private let storage: any CommitCounter
    private let limit: Int
    private let limitOfOrganization: Int
    /// Answers once there may be more than a request has seen, or its time is over.
    private let state = Condition(State()) { (state: State, need: (seen: UInt64, deadline: ContinuousClock.Instant)) in
        state.changes != need.seen || state.hasEnded || need.deadline <= state.now ? () : nil
    }
    private let woken: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - limit: how many requests may wait at the same time.
    ///   - limitOfOrganization: how many of one organization may.
    package init(_ storage: any CommitCounter, limit: Int = 512, limitOfOrganization: Int = 64) {
        self.storage = storage
        self.limit = limit
        self.limitOfOrganization = limitOfOrganization
        (woken, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Whether the service is being stopped, so that no request can wait any more.
    var hasEnded: Bool { state.state.hasEnded }

    /// How many requests wait.
    package var waiting: Int { state.state.allRequests }

    /// Asks until there is an answer or the time is over.
    /// - Parameters:
    ///   - wait: how long it waits at most; zero asks once. The answer may come a fifth of a second later.
    ///   - ask: returns `nil` if there is nothing yet.
    /// - Returns: `nil` if there was nothing in that time, or at once if the service is being stopped.
    /// - Throws: ``RequestRefusal/tooManyWait`` if the greatest number of requests already wait.
    package func first<Answer>(
        within wait: Duration, in organization: OrganizationID, _ ask: () async throws -> Answer?
    ) async throws -> Answer? {
        var seen = state.state.changes
        if let answer = try await ask() { return answer }
        guard wait > .zero else { return nil }
        let deadline = ContinuousClock.now + wait
        try enter(organization)
        defer { leave(organization) }
        while ContinuousClock.now < deadline {
            _ = await state.wait(for: (seen, deadline))
            try Task.checkCancellation()
            seen = state.state.changes
            if let answer = try await ask() { return answer }
            guard !hasEnded else { return nil }
        }
        return nil
    }

    /// Watches the storage until the task is cancelled; after that, no request waits. Must be called once.
    package func run() async {
        var known: UInt64?
        for await _ in woken {
            while waiting > 0, !Task.isCancelled {
                // If the storage fails, the requests get the error when they ask it themselves.
                let count = try? await storage.value()
                tick(hasChanged: count != known)
                known = count
                try? await Task.sleep(for: Self.interval)
            }
        }
        end()
    }

    /// Must be called when the service is being stopped: waiting requests are answered at once, and no request waits
    /// any more.
    package func end() { state.change { $0.hasEnded = true } }

    private func tick(hasChanged: Bool) {
        state.change { state in
            if hasChanged { state.changes += 1 }
            state.now = .now
        }
    }

    private func enter(_ organization: OrganizationID) throws {
        try state.change { state in
            guard state.allRequests < limit, state.requests[organization, default: 0] < limitOfOrganization else {
                throw RequestRefusal.tooManyWait
            }
            state.allRequests += 1
            state.requests[organization, default: 0] += 1
        }
        wake.yield()
    }

    private func leave(_ organization: OrganizationID) {
        state.change { state in
            state.allRequests -= 1
            let left = state.requests[organization, default: 1] - 1
            state.requests[organization] = left > 0 ? left : nil
        }
    }
}
