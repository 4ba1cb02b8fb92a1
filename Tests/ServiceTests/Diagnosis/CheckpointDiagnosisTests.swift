import Foundation
import Glibc
import Identifiers
import TestSupport
import Testing

@testable import Service

@Suite struct CheckpointDiagnosisTests {
    private func entries(_ folder: TemporaryFolder) -> [DiagnosisEntry] {
        FolderDiagnosis(data: folder.path(of: "d"), backups: folder.path(of: "b"), now: .noon).entries
            .filter { $0.subject == "checkpoints" }
    }

    private func made(_ body: (TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            _ = try DataFolderTask.make(at: folder.path(of: "d"))
            try body(folder)
        }
    }

    @Test("checkpoints are told by number and age, and without any nothing is told of them")
    func checkpoints() throws {
        try made { folder in
            #expect(entries(folder).isEmpty)
            let files = try DataFolder(at: folder.path(of: "d"), now: .noon).checkpointFiles()
            for (name, seconds) in [("acme", 1_700_000_000), ("globex", 1_700_000_500)] {
                let path = "\(files.folder)/\(name).txt"
                try SecretFile(path: path).write([1])
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: Double(seconds))], ofItemAtPath: path)
            }
            let (newest, oldest) = (
                Timestamp(secondsSince1970: 1_700_000_500), Timestamp(secondsSince1970: 1_700_000_000)
            )
            let told = entries(folder).first
            #expect(
                told?.text == "2 of organizations, the newest of \(newest.rfc3339), the oldest of \(oldest.rfc3339)")
        }
    }

    @Test("checkpoints that cannot be listed are a finding", .enabled(if: geteuid() != 0, "root lists every folder"))
    func unreadable() throws {
        try made { folder in
            let files = try DataFolder(at: folder.path(of: "d"), now: .noon).checkpointFiles()
            #expect(chmod(files.folder, 0) == 0)
            defer { chmod(files.folder, 0o700) }
            let told = entries(folder)
            #expect(told.map(\.text) == ["checkpoints in the data folder cannot be read: Permission denied"])
            #expect(told.first?.remedy != nil)
        }
    }
}
