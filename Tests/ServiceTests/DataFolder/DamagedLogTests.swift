import Identifiers
import SQLiteSpool
import StoragePorts
import TestSupport
import Testing

@testable import Service

/// A folder whose last process was killed, and in which a log was damaged since.
@Suite struct DamagedLogTests {
    /// Calls `body` with such a folder. The log of the spool has four commits.
    /// - Parameter place: of the byte that is changed in it; `nil` for a whole log.
    private func withKilled(damagedAt place: Int?, _ body: (MadeFolder) throws -> Void) throws {
        try MadeFolder.with { made in
            let spool = try SQLiteClickSpool(folder: made.path, slot: .single, drained: nil) { .noon }
            for _ in 0..<4 { try spool.probe() }
            let killed = try made.copied()
            try spool.close()
            var log = try killed.bytes(of: "spool.db-wal")
            if let place { log[place] ^= 1 }
            try killed.write(log, to: "spool.db-wal")
            try body(killed)
        }
    }

    private func lostCommits(_ events: [DataFolder.Event]) -> [Int] {
        events.compactMap { event in
            if case .damagedLog(let log) = event { log.commits } else { nil }
        }
    }

    @Test("a start goes on without the clicks that the spool's log lost, and says how many commits they were")
    func spool() throws {
        try withKilled(damagedAt: 32 + 24 + 3000) { killed in
            let folder = try DataFolder(at: killed.path, now: .noon)
            let (events, lost) = (folder.events, folder.lostSpoolCommits)
            #expect(lostCommits(events) == [3])
            #expect(lost == 3)
        }
    }

    @Test("a whole log is no event")
    func whole() throws {
        try withKilled(damagedAt: nil) { killed in
            let folder = try DataFolder(at: killed.path, now: .noon)
            let (events, lost) = (folder.events, folder.lostSpoolCommits)
            #expect(events.isEmpty)
            #expect(lost == 0)
        }
    }

    @Test("without acknowledged commits of the main database nothing starts, and nothing is changed")
    func main() throws {
        try withKilled(damagedAt: 32) { killed in
            let log = try killed.bytes(of: "spool.db-wal")
            try killed.write([], to: "spool.db-wal")
            try killed.write(log, to: "consentlink.db-wal")
            let before = try killed.state
            let error = #expect(throws: DataFolderError.self) { try killed.open() }
            #expect(error == .unusable([FolderFinding("consentlink.db-wal", .commitsLost(3))]))
            let after = try killed.state
            // The lock file is made before the files are looked at.
            #expect(after.filter { !$0.hasPrefix("lock ") } == before.filter { !$0.hasPrefix("lock ") })
        }
    }

    @Test("the doctor finds it before a start does", arguments: ["spool.db-wal", "consentlink.db-wal"])
    func doctor(_ file: String) throws {
        try withKilled(damagedAt: 32 + 24) { killed in
            let log = try killed.bytes(of: "spool.db-wal")
            try killed.write([], to: "spool.db-wal")
            try killed.write(log, to: file)
            let wrong = DatabaseFilesDiagnosis(folder: killed.path) { true }.entries.filter { $0.remedy != nil }
            #expect(wrong.map(\.text) == [FolderFinding(file, .commitsLost(3)).description])
        }
    }
}
