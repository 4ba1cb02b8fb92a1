import Synchronization
import TestSupport
import Testing

@testable import PostgresStorage

/// Which node may write bulk, on a real server.
@Suite struct BulkTurnTests {
    @Test("one node at a time has the turn for bulk, and the next one gets it when it is given back")
    func one() async throws {
        try await withTurns { first, second in
            await taken(first)
            let isTaken = Flag()
            second.take { isTaken.set() }
            try await Task.sleep(for: .milliseconds(300))
            #expect(!isTaken.isSet)
            first.giveBack()
            try await isTaken.wait()
            let isTakenAgain = Flag()
            first.take { isTakenAgain.set() }
            try await Task.sleep(for: .milliseconds(300))
            #expect(!isTakenAgain.isSet)
            second.giveBack()
            try await isTakenAgain.wait()
        }
    }

    @Test("a node that does not give the turn back holds nobody up for long")
    func held() async throws {
        try await withTurns { first, second in
            await taken(first)
            let began = ContinuousClock.now
            await taken(second)
            #expect(ContinuousClock.now - began > .seconds(1))
        }
    }

    @Test("a turn that has ended holds nobody up")
    func ended() async throws {
        try await withTurns { first, second in
            await taken(first)
            first.close()
            await taken(second)
            await taken(first)
        }
    }

    private func withTurns(_ body: (BulkTurn, BulkTurn) async throws -> Void) async throws {
        let fixture = try await PostgresFixture()
        let turns = (BulkTurn(fixture.settings), BulkTurn(fixture.settings))
        for turn in [turns.0, turns.1] {
            // The first one is not waited for: it begins to connect.
            await taken(turn)
            turn.giveBack()
            while !turn.isOpen { try await Task.sleep(for: .milliseconds(5)) }
        }
        try await body(turns.0, turns.1)
        turns.0.close()
        turns.1.close()
    }

    private func taken(_ turn: BulkTurn) async {
        await withCheckedContinuation { continuation in turn.take { continuation.resume() } }
    }
}

private final class Flag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }
    func set() { flag.store(true, ordering: .releasing) }

    func wait() async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while !isSet {
            try #require(ContinuousClock.now < deadline)
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
