import Foundation
import GRDB
import Glibc
import Identifiers
import TestSupport
import Testing

@testable import Service

extension FolderDiagnosisTests {
    @Test("a database that a start would refuse is found while a service uses it, and in the newest backup")
    func changedSchema() async throws {
        try await MadeFolder.with { made in
            let backups = made.beside.path(of: "backups")
            let lock = try FolderLock(in: made.path)
            lock.sign()
            #expect(FolderDiagnosis(data: made.path, backups: backups, now: .noon).process == getpid())
            let queue = try DatabaseQueue(path: made.path(of: "spool.db"))
            try await queue.writeWithoutTransaction { db in try db.execute(sql: "CREATE TABLE t (a)") }
            try queue.close()
            let backup = "\(backups)/\(NewestBackup.name(startedAt: .noon))"
            try FileManager.default.createDirectory(atPath: backups, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: made.path, toPath: backup)
            let entries = FolderDiagnosis(data: made.path, backups: backups, now: .noon).entries
            #expect(
                entries.filter { $0.subject == "database" }.map(\.text)
                    == ["spool.db is not as this service makes it: the table t is not known"])
            #expect(remedies(entries, "database").allSatisfy { $0.contains("DROP TABLE t;") })
            #expect(
                entries.contains {
                    $0.text == "spool.db of the newest backup is not as this service makes it: the table t is not known"
                })
            // It has the folder until here.
            lock.sign()
        }
    }
}
