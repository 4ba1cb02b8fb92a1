import Identifiers
import Interactions
import SQL
import SQLiteFiles
import StorageContracts
import TestSupport
import Testing

@testable import SQLiteSpool

/// The memory that reading the spool takes.
@Suite struct SpoolReadingTests {
    @Test("a reading has room for its limit and for the batch that goes beyond it, and its reader keeps few pages")
    func memory() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let spool = try SQLiteClickSpool(folder: folder.path, slot: .single, drained: nil) { .noon }
        defer { try? spool.close() }
        for _ in 0..<5 { _ = try spool.append(try clicks(1000)) }
        let occurrences = try spool.read(after: .start, limit: 4500).occurrences
        #expect(occurrences.count == 5000)
        #expect(occurrences.capacity < 7000)
        let size = try spool.file.readers.readNow { db in
            try db.statement("PRAGMA cache_size").first { $0.integer(0) }
        }
        // A negative size is one in KiB.
        #expect(size == -256)
    }
}
