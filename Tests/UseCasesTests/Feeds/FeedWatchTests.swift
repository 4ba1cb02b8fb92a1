import Identifiers
import StoragePorts
import Synchronization
import TestSupport
import Testing

@testable import UseCases

/// Waiting for more of a feed.
@Suite struct FeedWatchTests {
    private final class Storage: CommitCounter {
        private let count = Atomic<UInt64>(0)
        private let asked = Atomic(0)

        var questions: Int { asked.load(ordering: .relaxed) }

        func commit() { count.add(1, ordering: .relaxed) }

        func value() async throws -> UInt64 {
            asked.add(1, ordering: .relaxed)
            return count.load(ordering: .relaxed)
        }
    }

    private static let acme = try? OrganizationID("acme")

    private static func with(
        limit: Int = 8, limitOfOrganization: Int = 8, _ body: (FeedWatch, Storage, OrganizationID) async throws -> Void
    ) async throws {
        let storage = Storage()
        let watch = FeedWatch(storage, limit: limit, limitOfOrganization: limitOfOrganization)
        let watching = Task { await watch.run() }
        defer { watching.cancel() }
        try await body(watch, storage, try #require(acme))
    }

    private static func waits(_ watch: FeedWatch, _ count: Int) async throws {
        try #require(await eventually { watch.waiting == count })
    }

    @Test("what is there is answered without waiting, and without a question to the storage")
    func atOnce() async throws {
        try await Self.with { watch, storage, acme in
            let one: Int? = try await watch.first(within: .seconds(30), in: acme) { 1 }
            let none: Int? = try await watch.first(within: .zero, in: acme) { nil }
            #expect(one == 1 && none == nil)
            #expect(storage.questions == 0 && watch.waiting == 0)
        }
    }

    @Test("a request waits until a commit brings it something, and goes on waiting after one that does not")
    func commits() async throws {
        try await Self.with { watch, storage, acme in
            let value = Mutex<Int?>(nil)
            let asked = Atomic(0)
            async let answer = watch.first(within: .seconds(30), in: acme) {
                asked.add(1, ordering: .relaxed)
                return value.withLock { $0 }
            }
            try await Self.waits(watch, 1)
            storage.commit()
            #expect(
                await eventually {
                    storage.commit()
                    return asked.load(ordering: .relaxed) >= 3
                })
            #expect(watch.waiting == 1)
            value.withLock { $0 = 7 }
            storage.commit()
            #expect(try await answer == 7)
            #expect(watch.waiting == 0)
        }
    }

    @Test("a request that gets nothing is answered when its time is over")
    func deadline() async throws {
        try await Self.with { watch, _, acme in
            let start = ContinuousClock.now
            let none: Int? = try await watch.first(within: .milliseconds(300), in: acme) { nil }
            #expect(none == nil)
            #expect(ContinuousClock.now - start >= .milliseconds(300))
        }
    }

    @Test("more requests than may wait are refused, in all and of one organization", arguments: [(1, 8), (8, 1)])
    func limits(_ limit: Int, _ limitOfOrganization: Int) async throws {
        try await Self.with(limit: limit, limitOfOrganization: limitOfOrganization) { watch, storage, acme in
            let first = Task { try await watch.first(within: .seconds(30), in: acme) { nil as Int? } }
            try await Self.waits(watch, 1)
            await #expect(throws: RequestRefusal.tooManyWait) {
                _ = try await watch.first(within: .seconds(1), in: acme) { nil as Int? }
            }
            first.cancel()
            await #expect(throws: CancellationError.self) { _ = try await first.value }
            #expect(watch.waiting == 0)
            // A wait that ended counts no more, neither in all nor against its organization.
            for _ in 0..<2 {
                let none: Int? = try await watch.first(within: .milliseconds(1), in: acme) { nil }
                #expect(none == nil)
            }
        }
    }

    @Test("when the service is being stopped, requests wait no more")
    func end() async throws {
        let watch = FeedWatch(Storage())
        let watching = Task { await watch.run() }
        let acme = try #require(Self.acme)
        let waiting = Task { try await watch.first(within: .seconds(30), in: acme) { nil as Int? } }
        try await Self.waits(watch, 1)
        watching.cancel()
        #expect(try await waiting.value == nil)
        let none: Int? = try await watch.first(within: .seconds(30), in: acme) { nil }
        #expect(none == nil)
    }
}
