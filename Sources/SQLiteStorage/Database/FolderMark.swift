import GRDB
import Identifiers

/// The id of the data folder, as each database file holds it, so that a file of another folder is recognised.
enum FolderMark {
    /// The tables are the same in both files.
    static let schema = """
        -- The data folder that this file belongs to; at most one row.
        CREATE TABLE folder (id TEXT NOT NULL) STRICT;
        """

    /// - Returns: `nil` when no folder is noted.
    static func read(_ db: Database) throws -> FolderID? {
        let text = try db.statement("SELECT id FROM folder").first { $0.text(0) }
        guard let text else { return nil }
        guard let id = FolderID(text) else { throw StorageError.unreadable }
        return id
    }
}

extension DatabaseFile {
    /// For use while the service starts: blocks the thread.
    func folder() throws -> FolderID? {
        do {
            return try writer.read(FolderMark.read)
        } catch {
            throw health.note(error)
        }
    }

    /// Notes the folder unless one is noted. On return it is on disk in the file itself, where ``FileGlance`` finds it,
    /// and not only in the write-ahead log. Blocks the thread.
    func note(_ folder: FolderID) throws {
        do {
            guard try writer.read(FolderMark.read) == nil else { return }
            try writer.write { db in
                try db.statement("INSERT INTO folder (id) VALUES (?)").run(folder.description)
            }
            guard try writer.writeWithoutTransaction(truncateLog) else { throw StorageError.busy }
        } catch {
            throw health.note(error)
        }
    }
}
