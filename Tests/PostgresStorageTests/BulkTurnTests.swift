import TestSupport
import Testing

@testable import PostgresStorage

/// Which node may write bulk, on a real server.
@Suite(.timeLimit(.minutes(2))) struct BulkTurnTests {
    @Test("one node at a time has the turn for bulk, and the next one gets it when it is given back")
    func one() async throws {
        try await withTurns { first, second in
            await taken(first)
            let isTaken = Note(false)
            second.take { isTaken.value = true }
            try await Task.sleep(for: .milliseconds(300))
            #expect(!isTaken.value)
            first.giveBack()
            #expect(await eventually { isTaken.value })
            let isTakenAgain = Note(false)
            first.take { isTakenAgain.value = true }
            try await Task.sleep(for: .milliseconds(300))
            #expect(!isTakenAgain.value)
            second.giveBack()
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

    private func withTurns(_ body: (BulkTurn, BulkTurn) async throws -> Void) async throws {
        let fixture = try await PostgresFixture()
        let turns = (BulkTurn(fixture.settings), BulkTurn(fixture.settings))
        for turn in [turns.0, turns.1] {
            // The first one is not waited for: it begins to connect.
            await taken(turn)
            turn.giveBack()
            try #require(await eventually { turn.isOpen })
        }
        try await body(turns.0, turns.1)
        turns.0.close()
        turns.1.close()
    }

    private func taken(_ turn: BulkTurn) async {
        await withCheckedContinuation { continuation in turn.take { continuation.resume() } }
    }
}
