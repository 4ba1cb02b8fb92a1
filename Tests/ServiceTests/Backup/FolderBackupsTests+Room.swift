import Glibc
import SQL
import TestSupport
import Testing
import UseCases

@testable import Service

/// Backups on a disk that is too small.
extension FolderBackupsTests {
    @Test("a copy that cannot be written or read is a fault of the folder for backups, and not of the storage")
    func failedCopy() async throws {
        try await MadeFolder.with { made in
            let log = CapturedLog()
            let storage = Source("consentlink.db", of: made) { _, _ in
                throw FailedCopy(path: "/backups/consentlink.db", reason: "Input/output error")
            }
            let maker = try backups(made, storage, log: log)
            let error = await #expect(throws: BackupError.self) { try await maker.make() }
            guard case .cannotWrite = error else { throw try #require(error) }
            #expect(log.lines.map(\.message) == ["a backup cannot be written"])
            #expect(log.lines.first?.metadata["path"] == "/backups/consentlink.db")
            #expect(log.lines.first?.metadata["error"] == "Input/output error")
            #expect(try left(made) == [])
        }
    }

    @Test("every backup that is refused is in the log")
    func refused() async throws {
        try await MadeFolder.with { made in
            let log = CapturedLog()
            let maker = try backups(made, log: log)
            try made.write([1], to: FolderFile.ledgerKey)
            await #expect(throws: (any Error).self) { try await maker.make() }
            #expect(log.lines.map(\.message) == ["no backup was made"])
        }
    }

    @Test("what does not fit on the disk is not begun, and the answer has both numbers")
    func noRoom() async throws {
        try await MadeFolder.with { made in
            let storage = Source("consentlink.db", of: made)
            let maker = try backups(made, storage)
            // Sparse, and larger than any disk that tests run on.
            try #require(truncate(made.path(of: "consentlink.db"), 1 << 43) == 0)
            let error = await #expect(throws: BackupError.self) { try await maker.make() }
            guard case .noRoom(let needed, let free) = error else { throw try #require(error) }
            #expect(needed > 1 << 43 && free < needed)
            #expect(storage.copies == 0)
            #expect(try left(made) == [])
        }
    }
}
