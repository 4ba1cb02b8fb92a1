import Foundation
import GRDB
import TestSupport
import Testing

@testable import SQLiteFiles

/// The logs are those of a process that was killed after some commits, each of one frame or of several.
@Suite struct LogDamageTests {
    private static let header = 32
    private static let frame = 24 + 4096

    /// Calls `body` with the path of a database with a log, and the log's bytes. The log begins behind `earlier` frames'
    /// worth of an older one.
    private func withLog(
        commits: Int, earlier: Int = 0, bytes: Int = 100, _ body: (String, [UInt8]) throws -> Void
    ) throws {
        try SmallFile.with { small in
            for id in 0..<earlier { try small.insert(id...id) }
            if earlier > 0 {
                // Written back, and begun again without being cut.
                try small.write { db in _ = try db.checkpoint(.restart) }
            }
            for id in 0..<commits { try small.insert((1000 + id)...(1000 + id), bytes: bytes) }
            let log = Array(try Data(contentsOf: URL(filePath: small.path + "-wal")))
            try TemporaryFolder.with { folder in
                try body(folder.path(of: SmallFile.name), log)
            }
        }
    }

    private func damage(_ database: String, _ log: [UInt8]) throws -> Int? {
        try Data(log).write(to: URL(filePath: database + "-wal"))
        return try LogDamage.find(inLogOf: database)?.commits
    }

    /// - Parameter commits: `nil` if nothing is certain.
    private func expect(
        _ database: String, _ log: [UInt8], loses commits: Int?, at location: SourceLocation = #_sourceLocation
    ) throws {
        let found = try damage(database, log)
        #expect(found == commits, sourceLocation: location)
    }

    private func offset(_ frame: Int) -> Int { Self.header + frame * Self.frame }

    @Test("of a whole log, of none and of an empty one nothing is lost")
    func whole() throws {
        try withLog(commits: 4) { database, log in
            let absent = try LogDamage.find(inLogOf: database)
            #expect(absent == nil)
            #expect(log.count == offset(4))
            try expect(database, log, loses: nil)
            try expect(database, [], loses: nil)
        }
    }

    @Test(
        "a changed byte in any part of the first frame loses all commits; of the last one it is not certain",
        arguments: [(0, 3), (4, 3), (8, 2), (12, 2), (16, 2), (20, 2), (24, 3), (3000, 3)])
    func firstFrame(_ place: Int, _ expected: Int) throws {
        try withLog(commits: 4) { database, log in
            var log = log
            log[offset(0) + place] ^= 1
            try expect(database, log, loses: expected)
        }
    }

    @Test("a changed byte in the last commit may be a write that a crash interrupted", arguments: [1, 300_000])
    func lastCommit(_ bytes: Int) throws {
        try withLog(commits: 3, bytes: bytes) { database, log in
            var log = log
            log[log.count - Self.frame + 500] ^= 1
            try expect(database, log, loses: nil)
        }
    }

    @Test("any frame of the last commit may be missing, in any order")
    func lastCommitTorn() throws {
        try withLog(commits: 1, bytes: 300_000) { database, log in
            let frames = (log.count - Self.header) / Self.frame
            #expect(frames > 70)
            for missing in [0, 1, frames / 2, frames - 2] {
                var torn = log
                torn.replaceSubrange(
                    offset(missing)..<offset(missing + 1), with: [UInt8](repeating: 0, count: Self.frame))
                try expect(database, torn, loses: nil)
            }
        }
    }

    @Test("a commit of many frames is lost with any one of them, and counts once")
    func longCommit() throws {
        try withLog(commits: 2, bytes: 300_000) { database, log in
            var log = log
            log[offset(10)] ^= 1
            try expect(database, log, loses: 1)
        }
    }

    @Test("a damaged header loses all commits", arguments: [0, 9, 16, 22, 24, 31])
    func header(_ place: Int) throws {
        try withLog(commits: 4) { database, log in
            var log = log
            log[place] ^= 1
            try expect(database, log, loses: 3)
        }
    }

    @Test("so does a first block of zeros")
    func firstBlock() throws {
        try withLog(commits: 4) { database, log in
            let zeros = [UInt8](repeating: 0, count: 4096)
            // The frame with the first commit cannot be told from one that was interrupted.
            try expect(database, zeros + log[4096...], loses: 2)
            try expect(database, [UInt8](repeating: 0, count: log.count), loses: nil)
        }
    }

    @Test("frames of an older log behind the end say nothing, even if the header is damaged")
    func olderFrames() throws {
        try withLog(commits: 1, earlier: 10) { database, log in
            #expect(log.count > offset(9))
            try expect(database, log, loses: nil)
            var damaged = log
            damaged[8] ^= 1
            try expect(database, damaged, loses: nil)
        }
        try withLog(commits: 3, earlier: 10) { database, log in
            try expect(database, log, loses: nil)
            var damaged = log
            damaged[offset(0) + 100] ^= 1
            try expect(database, damaged, loses: 2)
        }
    }

    @Test("a log that was cut has no frame that shows it")
    func cut() throws {
        try withLog(commits: 4) { database, log in
            for length in [1, 31, 32, 4000, offset(1), offset(2) + 77] {
                try expect(database, Array(log.prefix(length)), loses: nil)
            }
        }
    }

    @Test("each flipped bit of a log is found, or is in the last commit", arguments: 0..<8)
    func everyBit(_ bit: Int) throws {
        try withLog(commits: 3) { database, log in
            for place in stride(from: 0, to: log.count, by: 61) {
                var damaged = log
                damaged[place] ^= 1 << bit
                let commits = try damage(database, damaged) ?? 0
                // Unused bytes of the header are in its checksum, too.
                #expect((commits > 0) == (place < offset(1) || (place < offset(2) && commits > 0)), "byte \(place)")
            }
        }
    }
}
