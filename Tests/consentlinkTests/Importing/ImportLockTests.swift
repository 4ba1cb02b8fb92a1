import Foundation
import TestSupport
import Testing

@testable import consentlink

@Suite struct ImportLockTests {
    private func failure(_ folder: TemporaryFolder, _ journal: String = "j") throws -> CommandFailure {
        try #require(throws: CommandFailure.self) {
            _ = try ImportLock(of: ImportJournal(path: folder.path(of: journal)))
        }
    }

    @Test("a second import of a journal is refused as long as the first one runs")
    func second() throws {
        try TemporaryFolder.with { folder in
            let journal = ImportJournal(path: folder.path(of: "j"))
            let first = try ImportLock(of: journal)
            try withExtendedLifetime(first) {
                let failure = try failure(folder)
                #expect(failure.exitCode == ExitStatus.failed)
                #expect(failure.description.hasPrefix("consentlink: another process is importing this file"))
                #expect(failure.description.contains("/j.lock"))
                _ = try ImportLock(of: ImportJournal(path: folder.path(of: "k")))
                try journal.write(ImportJournal.Progress())
                _ = try self.failure(folder)
            }
        }
    }

    @Test("a lock that has ended leaves its file, which is no reason to refuse")
    func again() throws {
        try TemporaryFolder.with { folder in
            for _ in 1...3 { _ = try ImportLock(of: ImportJournal(path: folder.path(of: "j"))) }
            #expect(try folder.files == ["j.lock"])
            #expect(try folder.text(of: "j.lock") == "")
            #expect(try folder.permissions(of: "j.lock") == 0o600)
        }
    }

    @Test("a lock that cannot be had is told by its reason, and a link is not followed")
    func unavailable() throws {
        try TemporaryFolder.with { folder in
            #expect(try failure(folder, "nowhere/j").description.hasSuffix("nowhere/j.lock: No such file or directory"))
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(of: "j.lock"), withDestinationPath: folder.path(of: "precious"))
            #expect(try failure(folder).description.hasSuffix("/j.lock: Too many levels of symbolic links"))
            #expect(!folder.contains("precious"))
            try FileManager.default.createDirectory(
                atPath: folder.path(of: "k.lock"), withIntermediateDirectories: false)
            #expect(try failure(folder, "k").description.hasSuffix("/k.lock: Is a directory"))
        }
    }
}
