import Glibc
import TestSupport
import Testing
import UseCases

@testable import Service

@Suite struct BackupRoomTests {
    @Test("a backup on the disk of the data folder leaves the space that the service needs")
    func oneDisk() throws {
        try TemporaryFolder.with { folder in
            let space = try #require(DiskSpace(ofFolder: folder.path))
            let floor = DiskFloor(folder: folder.path, mebibytes: 1 << 30)
            let bytes = floor.bytes(of: space)
            // Half of the floor would be left.
            let size = space.free - min(space.free, bytes / 2)
            // Sparse.
            let database = try folder.write([UInt8](), to: "spool.db")
            try #require(truncate(database, off_t(size)) == 0)
            func room(_ floor: DiskFloor) -> BackupRoom {
                BackupRoom(dataFolder: folder.path, backups: folder.path, floor: floor)
            }
            let error = try #require(throws: BackupError.self) { try room(floor).require(["spool.db"]) }
            guard case .noRoom(let needed, _) = error else { throw error }
            #expect(needed == size + bytes)
            #expect(throws: Never.self) {
                try room(DiskFloor(folder: folder.path, mebibytes: 0)).require(["spool.db"])
            }
        }
    }
}
