import Identifiers
import Interactions
import StorageContracts
import StoragePorts
import TestSupport
import Testing

@testable import SQLiteSpool

/// What a click says of how much its node knew when it came.
@Suite struct SpoolCertaintyTests {
    @Test(
        "a click says how much its node knew, also when it was set aside",
        arguments: [(true, true, .judged), (true, false, .judged), (false, true, .unjudged), (false, false, .untimed)]
            as [(Bool, Bool, SpooledOccurrence.Certainty)])
    func certainty(_ isFresh: Bool, _ isTimed: Bool, _ expected: SpooledOccurrence.Certainty) throws {
        try withSpool(wasFresh: { _ in isFresh }, isTimed: isTimed) { spool in
            let last = try spool.append([try click()])
            let read = try spool.read(after: .start, limit: 9).occurrences
            #expect(read.map(\.certainty) == [expected])
            #expect(spool.unjudged == (isFresh ? 0 : 1))
            try spool.park(read, at: last)
            #expect(try spool.parked(after: .start)?.occurrences == read)
        }
    }

    @Test(
        "a batch is judged only if its node knew every withdrawal at the time of each of its clicks",
        arguments: [([0, 1], .judged), ([-1, 0], .unjudged), ([0, -1], .unjudged), ([-2, -1], .unjudged)]
            as [([Int64], SpooledOccurrence.Certainty)])
    func batch(_ times: [Int64], _ expected: SpooledOccurrence.Certainty) throws {
        try withSpool(wasFresh: { $0 >= .noon }, isTimed: true) { spool in
            _ = try spool.append(try times.map { try click(at: .noon + $0) })
            let read = try spool.read(after: .start, limit: 9).occurrences
            #expect(read.map(\.certainty) == [expected, expected])
            #expect(spool.unjudged == (expected == .judged ? 0 : 2))
        }
    }

    private func withSpool(
        wasFresh: @escaping @Sendable (Timestamp) -> Bool, isTimed: Bool, _ body: (SQLiteClickSpool) throws -> Void
    ) throws {
        try TemporaryFolder.with { folder in
            let spool = try SQLiteClickSpool(
                folder: folder.path, slot: .single, drained: nil, wasFresh: wasFresh, isTimed: { isTimed }
            ) { .noon }
            try body(spool)
            try spool.close()
        }
    }

    private func click(at time: Timestamp = .noon) throws -> Occurrence {
        Occurrence(
            kind: .pushNotificationClicked, source: .bird, occurredAt: time,
            message: MessageID(TimeOrderedNumber(known: 1 << 50)),
            recipient: try #require(RecipientReference(rawValue: 1)), link: .message, visitor: .browserAgent,
            action: ActionIdentifier("x"))
    }
}
