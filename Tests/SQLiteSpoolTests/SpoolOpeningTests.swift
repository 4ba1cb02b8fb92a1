import Identifiers
import Interactions
import StorageContracts
import StoragePorts
import TestSupport
import Testing

@testable import SQLiteSpool

/// What a spool makes of a file in which clicks are set aside and nothing else is left.
@Suite struct SpoolOpeningTests {
    private func open(_ folder: TemporaryFolder, at time: Timestamp = .noon) throws -> SQLiteClickSpool {
        try SQLiteClickSpool(folder: folder.path, slot: .single, drained: nil) { time }
    }

    /// Leaves a file with clicks that are set aside, and without batches.
    /// - Returns: their ids.
    private func setAside(_ count: Int, in folder: TemporaryFolder) throws -> [InteractionID] {
        let spool = try open(folder)
        let position = try spool.append(try clicks(count))
        let read = try spool.read(after: .start, limit: .max).occurrences
        try spool.park(read, at: position)
        try spool.remove(through: position)
        try spool.close()
        return read.map(\.id)
    }

    @Test("ids go on behind clicks that are set aside, also when the clock went back meanwhile")
    func ids() throws {
        try TemporaryFolder.with { folder in
            let parked = try setAside(3, in: folder)
            let greatest = try #require(parked.max())
            let spool = try open(folder, at: .noon + -1000)
            #expect((spool.leftover, spool.leftParked) == (0, 3))
            #expect(spool.latestTime == .noon)
            _ = try spool.append(try clicks(5))
            let ids = try spool.read(after: .start, limit: .max).occurrences.map(\.id)
            #expect(ids.count == 5 && ids.allSatisfy { $0 > greatest })
            try spool.close()
        }
    }

    @Test("a file that names no folder is completed while it is empty, and is left alone with clicks set aside")
    func completing() throws {
        let id = try #require(FolderID(String(repeating: "5", count: 32)))
        try TemporaryFolder.with { folder in
            try open(folder).close()
            #expect(try SQLiteClickSpool.complete(folder: folder.path, id: id))
            let spool = try open(folder)
            #expect(try spool.folder() == id)
            try spool.close()
        }
        try TemporaryFolder.with { folder in
            let parked = try setAside(2, in: folder)
            #expect(try !SQLiteClickSpool.complete(folder: folder.path, id: id))
            let spool = try open(folder)
            #expect(try spool.folder() == nil)
            #expect(try spool.parked(after: .start)?.occurrences.map(\.id) == parked)
            try spool.close()
        }
    }
}
