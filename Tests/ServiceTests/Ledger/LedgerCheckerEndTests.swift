import Ledger
import Logging
import SQL
import TestSupport
import Testing

@testable import Service

/// What a check of the ledgers says of a store that does not answer.
@Suite struct LedgerCheckerEndTests {
    /// Never answers a step, because the connection is closed.
    private struct ClosedLedgers: LedgerChecking {
        let steps: Note<Int>

        func check(from position: LedgerCheckPosition) async throws -> LedgerCheckStep {
            steps.value += 1
            throw StorageError.busy
        }

        func entryCount() async throws -> UInt64 { 0 }
        func rowCounts(upTo most: UInt64) async throws -> LedgerCheckRows {
            LedgerCheckRows(ofOneTable: 0, withoutEntries: 0)
        }
        func checkPosition() async throws -> LedgerCheckPosition? { nil }
        func keep(_ position: LedgerCheckPosition?) async throws {}
    }

    private func levels(isEnding: Bool, atStart: Bool) async throws -> Set<Logger.Level> {
        let (log, steps) = (CapturedLog(), Note(0))
        let bounds = LedgerChecker.Bounds(retryInterval: .milliseconds(1), passRetryInterval: .milliseconds(1))
        let checker = LedgerChecker(
            ledgers: ClosedLedgers(steps: steps), bounds: bounds, now: { .now }, isEnding: { isEnding },
            logger: log.logger
        ) { checker in if atStart { try await checker.checkAtStart() } }
        let running = Task { try await checker.run() }
        #expect(await eventually { steps.value > 2 })
        running.cancel()
        try await running.value
        return Set(log.levels)
    }

    @Test("a pass that a closed connection interrupts is a warning, unless the service closed it at its end")
    func pass() async throws {
        #expect(try await levels(isEnding: false, atStart: false) == [.warning])
        #expect(try await levels(isEnding: true, atStart: false).isEmpty)
    }

    @Test("so is the check of a start an error")
    func start() async throws {
        #expect(try await levels(isEnding: false, atStart: true) == [.error])
        #expect(try await levels(isEnding: true, atStart: true).isEmpty)
    }
}
