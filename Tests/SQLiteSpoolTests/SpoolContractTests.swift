import SQLiteSpool
import StorageContracts
import TestSupport
import Testing

/// The spool in a SQLite file keeps the promises of its port.
@Suite struct SpoolContractTests {
    @Test(arguments: ClickSpoolContract.promises)
    func promises(_ promise: SpoolPromise) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let spool = try SQLiteClickSpool(folder: folder.path, drained: nil) { .noon }
        try await promise.check(spool)
        try spool.close()
    }
}
