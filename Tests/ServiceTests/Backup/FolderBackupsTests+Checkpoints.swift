import Testing
import UseCases

@testable import Service

/// The checkpoints in a backup, and the folder that they are copied from.
extension FolderBackupsTests {
    @Test(
        "without the folder of checkpoints, or with one that others can read, there is no backup, and that is named",
        arguments: [
            ("checkpoints", FolderInspectionTests.Change.lost, "checkpoints is missing"),
            ("checkpoints/acme.txt", .open, "acme.txt is open to other users"),
            ("checkpoints/acme.txt", .linked, "acme.txt is a symbolic link"),
        ])
    func checkpoints(_ file: String, _ change: FolderInspectionTests.Change, _ text: String) async throws {
        try await MadeFolder.with { made in
            let maker = try backups(made)
            try made.write([7], to: "checkpoints/acme.txt")
            try change.make(of: file, in: made, other: made)
            let error = await #expect(throws: BackupError.self) { try await maker.make() }
            guard case .unusable? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(error?.description.contains(text) == true)
            #expect(try left(made) == [])
        }
    }
}
