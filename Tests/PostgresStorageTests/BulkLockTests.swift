import TestSupport
import Testing

@testable import PostgresStorage

/// Which node may write bulk, on a real server.
@Suite(.timeLimit(.minutes(2))) struct BulkLockTests {
    @Test("one node at a time has the turn for bulk, and the next one gets it when it is given back")
    func one() async throws {
        try await withTurns { first, second in
            await taken(first)
            let isTaken = Note(false)
            second.acquire { isTaken.value = true }
            try await Task.sleep(for: .milliseconds(300))
            #expect(!isTaken.value)
            first.release()
            #expect(await eventually { isTaken.value })
            let isTakenAgain = Note(false)
            first.acquire { isTakenAgain.value = true }
            try await Task.sleep(for: .milliseconds(300))
            #expect(!isTakenAgain.value)
            second.release()
            #expect(await eventually { isTakenAgain.value })
        }
    }

    @Test("a node that does not give the turn back delays the others for a limited time only")
    func held() async throws {
        try await withTurns { first, second in
            await taken(first)
            let began = ContinuousClock.now
            await taken(second)
            #expect(ContinuousClock.now - began > .seconds(1))
        }
    }

    @Test("a turn that has ended delays no other node")
    func ended() async throws {
        try await withTurns { first, second in
            await taken(first)
            first.close()
            await taken(second)
            await taken(first)
        }
    }

    private func withTurns(_ body: (BulkLock, BulkLock) async throws -> Void) async throws {
        let fixture = try await PostgresFixture()
        let locks = (BulkLock(fixture.settings), BulkLock(fixture.settings))
        for lock in [locks.0, locks.1] {
            // The first one is not waited for: it begins to connect.
            await taken(lock)
            lock.release()
            try #require(await eventually { lock.isOpen })
        }
        try await body(locks.0, locks.1)
        locks.0.close()
        locks.1.close()
    }

    private func taken(_ lock: BulkLock) async {
        await withCheckedContinuation { continuation in lock.acquire { continuation.resume() } }
    }
}
