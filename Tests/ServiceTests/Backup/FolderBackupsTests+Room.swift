import Glibc
import TestSupport
import Testing
import UseCases

@testable import Service

/// Backups on a disk that is too small.
extension FolderBackupsTests {
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
