import Consent
import Counting
import Identifiers
import Ledger
import Logging
import SQL
import SQLiteFiles
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import SQLStorage
@testable import SQLiteStorage
@testable import Service

/// The check of more entries than a start waits for. What it finds of which change, the end-to-end tests have.
@Suite struct LedgerCheckerTests {
    /// More than two runs, so that a pass over them has several steps.
    private static let decisions = 2_700
    /// Its hash stands in a whole tile, so that a process that starts can tell which entry it is.
    private static let changed = 2_500
    private static let bounds = LedgerChecker.Bounds(entriesAtStart: 1_000, keepInterval: .zero)

    /// Counts the steps of a check, and lets it take so many.
    private final class CountedLedgers: LedgerChecking {
        let ledgers: any LedgerChecking
        private let stepsAllowed: Int
        private let rows: LedgerCheckRows?
        private let seen = Mutex<[LedgerCheckPosition]>([])

        /// - Parameter rows: the numbers that it claims; `nil` for the true ones.
        init(_ ledgers: any LedgerChecking, stepsAllowed: Int = .max, rows: LedgerCheckRows? = nil) {
            self.ledgers = ledgers
            self.stepsAllowed = stepsAllowed
            self.rows = rows
        }

        var positions: [LedgerCheckPosition] { seen.withLock { $0 } }

        func check(from position: LedgerCheckPosition) async throws -> LedgerCheckStep {
            let count = seen.withLock { seen in
                seen.append(position)
                return seen.count
            }
            guard count <= stepsAllowed else { throw CancellationError() }
            return try await ledgers.check(from: position)
        }

        func entryCount() async throws -> UInt64 { try await ledgers.entryCount() }
        func rowCounts(upTo most: UInt64) async throws -> LedgerCheckRows {
            if let rows { return rows }
            return try await ledgers.rowCounts(upTo: most)
        }
        func checkPosition() async throws -> LedgerCheckPosition? { try await ledgers.checkPosition() }
        func keep(_ position: LedgerCheckPosition?) async throws { try await ledgers.keep(position) }
    }

    private func checker(_ ledgers: any LedgerChecking) -> LedgerChecker {
        LedgerChecker(ledgers: ledgers, bounds: Self.bounds, now: { .now }, logger: Logger(label: "test")) { checker in
            try await checker.checkAtStart()
        }
    }

    private func fixture() async throws -> JudgedFixture {
        let fixture = try await JudgedFixture(.nonRestrictive)
        let people = try (0..<Self.decisions).map { try RecipientID("\($0)@people.example") }
        try await withThrowingDiscardingTaskGroup { tasks in
            for person in people { tasks.addTask { _ = try await fixture.decide(person) } }
        }
        return fixture
    }

    /// Says of one of the last decisions that it rests on another reason.
    private func change(_ fixture: JudgedFixture) async throws {
        try await fixture.storage.database.write { writing in
            try writing.db.statement(
                "UPDATE decisions SET reason = 5 WHERE id = (SELECT id FROM decisions ORDER BY id LIMIT 1 OFFSET ?)"
            ).run(Self.changed)
        }
    }

    /// The first ledger that `checker` closes.
    private func finding(of checker: LedgerChecker, _ fixture: JudgedFixture) async throws -> LedgerInconsistency? {
        let found = Notes<LedgerInconsistency>()
        fixture.storage.stores.ledgers.onInconsistency { found.append($0) }
        let running = Task { try await checker.run() }
        #expect(await eventually { !found.all.isEmpty })
        running.cancel()
        try await running.value
        return found.all.first
    }

    /// The entry of the changed decision: that of the enforcement comes before them all.
    private static let entry = LedgerInconsistency.Finding.changed(UInt64(changed + 1))

    @Test("more entries than a start waits for are checked behind it, and what is found far behind is named")
    func inTheBackground() async throws {
        let fixture = try await fixture()
        defer { fixture.end() }
        try await change(fixture)
        let counted = CountedLedgers(fixture.storage.stores.ledgers)
        let checker = checker(counted)
        try await checker.checkAtStart()
        #expect(counted.positions.isEmpty, "a start does not wait for them")
        let found = try await finding(of: checker, fixture)
        #expect(found?.finding == Self.entry)
        #expect(checker.checked.isOpen)
    }

    @Test("a start waits for as many entries as the bound says")
    func atTheStart() async throws {
        let fixture = try await JudgedFixture(.nonRestrictive)
        defer { fixture.end() }
        _ = try await fixture.decide(try RecipientID("ana@people.example"))
        try await fixture.storage.database.write { try $0.db.statement("UPDATE decisions SET organization = 77").run() }
        try await checker(fixture.storage.stores.ledgers).checkAtStart()
        #expect(fixture.storage.stores.ledgers.inconsistencies.count == 1)
    }

    @Test("more rows of a table than the bound says are checked behind a start, however few entries there are")
    func manyRows() async throws {
        let fixture = try await JudgedFixture(.nonRestrictive)
        defer { fixture.end() }
        let rows = LedgerCheckRows(ofOneTable: Self.bounds.entriesAtStart + 1, withoutEntries: 0)
        let counted = CountedLedgers(fixture.storage.stores.ledgers, rows: rows)
        try await checker(counted).checkAtStart()
        #expect(counted.positions.isEmpty)
    }

    @Test("of many rows without entries a start waits for everything else, and no pass is counted before them")
    func manyRowsWithoutEntries() async throws {
        let fixture = try await JudgedFixture(.nonRestrictive)
        defer { fixture.end() }
        let place = LedgerCheckPosition(phase: .withoutEntries, organization: 1, next: 77)
        try await fixture.storage.stores.ledgers.keep(place)
        let rows = LedgerCheckRows(ofOneTable: 1, withoutEntries: Self.bounds.entriesAtStart + 1)
        let counted = CountedLedgers(fixture.storage.stores.ledgers, rows: rows)
        let checker = checker(counted)
        try await checker.checkAtStart()
        let phases = Set(counted.positions.map(\.phase))
        #expect(phases == Set(LedgerCheckPosition.Phase.allCases).subtracting([.withoutEntries]))
        #expect(checker.lastPassEnd == nil)
        #expect(try await fixture.storage.stores.ledgers.checkPosition() == place, "a pass goes on where it was")
        let run = Task { try await checker.run() }
        #expect(await eventually { checker.lastPassEnd != nil })
        run.cancel()
        try await run.value
        #expect(counted.positions.contains(place))
    }

    @Test("a process goes on where the one before it was, and finds what was changed behind that")
    func afterARestart() async throws {
        var fixture = try await fixture()
        defer { fixture.end() }
        // Settings, consents, and the first run of decisions.
        let first = CountedLedgers(fixture.storage.stores.ledgers, stepsAllowed: 3)
        try await checker(first).run()
        let left = try #require(try await fixture.storage.stores.ledgers.checkPosition())
        #expect(left == first.positions.last)
        #expect(left.phase == .decisions && left.next > 0 && left.next < Int64(Self.changed))
        try await change(fixture)
        fixture = try await fixture.reopened(source: ClockReading.system)
        let second = CountedLedgers(fixture.storage.stores.ledgers)
        let found = try await finding(of: checker(second), fixture)
        #expect(found?.finding == Self.entry)
        #expect(second.positions.first == left)
    }

    @Test("a pass that began where the last process was does not count, and a whole one follows it at once")
    func claimedPosition() async throws {
        let fixture = try await fixture()
        defer { fixture.end() }
        try await change(fixture)
        // As if nearly everything had been checked, which anybody who can write the database can claim.
        let claimed = LedgerCheckPosition(phase: .accesses, organization: 999_999, next: 0)
        try await fixture.storage.stores.ledgers.keep(claimed)
        let counted = CountedLedgers(fixture.storage.stores.ledgers)
        let checker = checker(counted)
        let run = Task { try await checker.run() }
        #expect(await eventually { checker.lastPassEnd != nil })
        run.cancel()
        try await run.value
        #expect(counted.positions.first == claimed)
        #expect(counted.positions.filter { $0 == .start }.count == 1)
        #expect(fixture.storage.stores.ledgers.inconsistencies.map(\.finding) == [Self.entry])
        let metrics = PrometheusText(checker.metrics).text.split(separator: "\n")
        #expect(metrics.contains("consentlink_ledger_check_passes_total 1"))
    }

    @Test("a process that starts after a finding begins with it, however far the one before went on")
    func afterAFinding() async throws {
        var fixture = try await fixture()
        defer { fixture.end() }
        try await change(fixture)
        let checker = checker(fixture.storage.stores.ledgers)
        let run = Task { try await checker.run() }
        #expect(await eventually { checker.lastPassEnd != nil })
        run.cancel()
        try await run.value
        let kept = try #require(try await fixture.storage.stores.ledgers.checkPosition())
        #expect(kept.phase == .decisions)
        fixture = try await fixture.reopened(source: ClockReading.system)
        let next = CountedLedgers(fixture.storage.stores.ledgers)
        #expect(try await finding(of: self.checker(next), fixture)?.finding == Self.entry)
        #expect(next.positions == [kept])
    }

    @Test("places are in the order in which a pass comes to them, those among hashes too")
    func order() {
        let places = [
            LedgerCheckPosition.start, LedgerCheckPosition(phase: .decisions, organization: 1, next: 7),
            LedgerCheckPosition(phase: .decisions, organization: 2, next: 0),
            LedgerCheckPosition(phase: .people, organization: 0, next: 0x10),
            LedgerCheckPosition(phase: .people, organization: 0, next: Int64(bitPattern: 0x9000_0000_0000_0000)),
        ]
        #expect(places.reversed().sorted() == places)
    }

    @Test("while the store cannot be asked a start is tried again, the service is not ready, and then it begins")
    func retry() async throws {
        let attempts = Mutex(0)
        let bounds = LedgerChecker.Bounds(interval: .seconds(3600), retryInterval: .milliseconds(1))
        let fixture = try await JudgedFixture(.nonRestrictive)
        defer { fixture.end() }
        let seen = Mutex<ReadinessReason?>(nil)
        let checker = LedgerChecker(
            ledgers: fixture.storage.stores.ledgers, bounds: bounds, now: { .now }, logger: Logger(label: "test")
        ) { checker in
            seen.withLock { $0 = checker.reasonNotReady }
            let attempt = attempts.withLock { count in
                count += 1
                return count
            }
            if attempt < 3 { throw StorageError.full }
        }
        #expect(checker.reasonNotReady == nil)
        let run = Task { try await checker.run() }
        #expect(await checker.checked.wait())
        #expect(attempts.withLock { $0 } == 3)
        #expect(seen.withLock { $0?.description } == "the ledgers cannot be checked: the disk is full")
        #expect(checker.reasonNotReady == nil)
        run.cancel()
        _ = await run.result
    }

    @Test("when the store has failed a start is not tried again, and clients are answered that nothing is written")
    func failedStore() async throws {
        let attempts = Mutex(0)
        let bounds = LedgerChecker.Bounds(interval: .seconds(3600), retryInterval: .milliseconds(1))
        let fixture = try await JudgedFixture(.nonRestrictive)
        defer { fixture.end() }
        let log = CapturedLog()
        let failed = StorageError.failed(EngineFault(code: "11", text: "database disk image is malformed"))
        let checker = LedgerChecker(
            ledgers: fixture.storage.stores.ledgers, bounds: bounds, now: { .now }, logger: log.logger
        ) { _ in
            let attempt = attempts.withLock { count in
                count += 1
                return count
            }
            throw attempt == 1 ? StorageError.full : failed
        }
        let run = Task { try await checker.run() }
        #expect(await checker.answerable.wait())
        #expect(!checker.checked.isOpen)
        #expect(checker.reasonNotReady == .ledgersUnchecked(failed.description))
        try await Task.sleep(for: .milliseconds(50))
        #expect(attempts.withLock { $0 } == 2)
        run.cancel()
        try await run.value
        #expect(!checker.checked.isOpen)
        #expect(log.levels == [.error, .critical])
        #expect(log.lines.last?.metadata["remedy"]?.contains("consentlink doctor") == true)
    }

    @Test("a start that fails for another reason ends the service")
    func failure() async throws {
        struct Fault: Error {}
        let fixture = try await JudgedFixture(.nonRestrictive)
        defer { fixture.end() }
        let checker = LedgerChecker(
            ledgers: fixture.storage.stores.ledgers, now: { .now }, logger: Logger(label: "test")
        ) { _ in throw Fault() }
        await #expect(throws: Fault.self) { try await checker.run() }
        #expect(!checker.checked.isOpen)
    }
}
