import SQL
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// The memory that connections of the main file keep between their uses.
@Suite struct PageCacheTests {
    @Test("a reader keeps a mebibyte of pages, and the writer twelve")
    func sizes() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let database = try SQLiteDatabase(
            path: folder.path(of: "file.db"), participant: LedgerWriting(CommittedLedgers(), host: "links.example"),
            rules: RuleChangeBuffer(observer: RecordingObserver()), clock: { .noon })
        defer { try? database.close() }
        // A negative size is one in KiB.
        #expect(try await database.read(.short, cacheSize) == -1024)
        #expect(try await database.read(.long(owner: 1), cacheSize) == -1024)
        #expect(try database.writeNow(cacheSize) == -12 * 1024)
    }
}

@Sendable private func cacheSize(_ db: any SQLConnection) throws -> Int64? {
    try db.statement("PRAGMA cache_size").first { $0.integer(0) }
}
