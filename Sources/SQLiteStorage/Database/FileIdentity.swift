import Glibc
import SQL
import SQLiteFiles

/// Identifies a file by properties that a copy does not have.
struct FileIdentity: Hashable {
    let inode: Int64
    /// Distinguishes files that had the same inode one after another; 0 if the file system does not support it.
    let generation: Int64

    /// - Parameter path: a file that this process has no lock on, because it would lose its locks.
    init(path: String) throws(StorageError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .ofLastCall }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .ofLastCall }
        inode = Int64(truncatingIfNeeded: status.st_ino)
        // FS_IOC_GETVERSION
        var generation = 0
        self.generation = ioctl(descriptor, 0x8008_7601, &generation) == 0 ? Int64(generation & 0xFFFF_FFFF) : 0
    }

    /// Remembers the file for the next start.
    ///
    /// - Returns: whether it is another file than at the last start.
    func store(in database: SQLiteDatabase) throws -> Bool {
        try database.writeNow { db in
            let last = try db.statement("SELECT inode = ? AND generation = ? FROM file_identity")
                .first(inode, generation) { $0.bool(0) }
            if last == true { return false }
            try db.statement("DELETE FROM file_identity").run()
            try db.statement("INSERT INTO file_identity (inode, generation) VALUES (?, ?)").run(inode, generation)
            return last == false
        }
    }
}
