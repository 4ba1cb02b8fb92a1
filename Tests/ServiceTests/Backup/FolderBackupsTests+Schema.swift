import Foundation
import GRDB
import Identifiers
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import Service

extension FolderBackupsTests {
    @Test("databases that no start accepts make no backup, and the backups from before stay")
    func changedSchema() async throws {
        try await MadeFolder.with { made in
            let log = CapturedLog()
            let now = Mutex(Timestamp.noon)
            let maker = try backups(made, log: log, at: { now.withLock { $0 } })
            let older = try await maker.make()
            let queue = try DatabaseQueue(path: made.path(of: "consentlink.db"))
            try await queue.writeWithoutTransaction { db in
                try db.execute(sql: "CREATE INDEX my_report ON interactions (occurred_at)")
                try db.checkpoint(.truncate)
            }
            try queue.close()
            now.withLock { $0 = .noon.advanced(by: .seconds(60)) }
            let error = await #expect(throws: BackupError.self) { try await maker.make() }
            guard case .changed(let flaws) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(flaws.map(\.file) == ["consentlink.db"])
            #expect(error?.description.contains("the index my_report is not known") == true)
            #expect(error?.description.contains("DROP INDEX my_report") == true)
            #expect(log.lines.contains { $0.message == "no backup was made" })
            #expect(try left(made) == [URL(filePath: older.folder).lastPathComponent])
        }
    }
}
