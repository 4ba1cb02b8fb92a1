import GRDB
import Identifiers
import Interactions
import StorageContracts
import TestSupport
import Testing

@testable import SQLiteSpool

/// Damaged batches among those that are set aside.
@Suite struct DamagedParkedBatchTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("they are passed over and told; when the others at their position are settled, they stay in the file")
    func kept() throws {
        defer { folder.remove() }
        let spool = try open()
        let position = try spool.append(try clicks(3))
        let read = try spool.read(after: .start, limit: 9).occurrences
        let parked = zip(read, SpooledOccurrence.Certainty.allCases).map {
            SpooledOccurrence(id: $0.id, occurrence: $0.occurrence, certainty: $1)
        }
        try spool.park(parked, at: position)
        try spool.close()
        try change(
            """
            UPDATE parked SET content = CAST(x'07' || content AS BLOB) WHERE is_unjudged = 0;
            UPDATE parked SET content = x'0200' WHERE is_unjudged = 1;
            INSERT INTO unreadable SELECT position, x'05' FROM parked LIMIT 1;
            """)

        let damaged = try open()
        let reading = try #require(try damaged.parked(after: .start))
        #expect(reading.occurrences == [parked[2]] && reading.position == position && reading.unreadableCount == 2)
        // Two damaged batches and one click that is still undecided, with a certainty that a damaged batch had.
        let undecided = SpooledOccurrence(id: read[2].id, occurrence: read[2].occurrence, certainty: .unjudged)
        try damaged.park([undecided], at: position)
        let rest = try #require(try damaged.parked(after: .start))
        #expect(rest.occurrences == [undecided] && rest.unreadableCount == 0)
        try damaged.park([], at: position)
        #expect(try damaged.parked(after: .start) == nil)
        try damaged.eraseResiduals()
        try damaged.close()
        let kept = try unreadable()
        #expect(kept.count == 3)
        #expect(Set(kept).isSuperset(of: ["05", "0200"]))
        #expect(kept.contains { $0.hasPrefix("0701") && $0.count == 2 * (2 + OccurrenceBatch.fixedLength) })
        let next = try open()
        #expect(next.leftParked == 0)
        try next.close()
    }

    private func open() throws -> SQLiteClickSpool {
        try SQLiteClickSpool(folder: folder.path, slot: .single, drained: nil) { .noon }
    }

    private func change(_ sql: String) throws {
        let file = try DatabaseQueue(path: folder.path(of: "spool.db"))
        try file.write { try $0.execute(sql: sql) }
        try file.close()
    }

    private func unreadable() throws -> [String] {
        let file = try DatabaseQueue(path: folder.path(of: "spool.db"))
        defer { try? file.close() }
        return try file.read { try String.fetchAll($0, sql: "SELECT hex(content) FROM unreadable") }
    }
}
