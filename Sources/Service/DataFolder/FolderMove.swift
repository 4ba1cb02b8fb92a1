import Glibc
import JSON

/// A current or finished move of a folder's main database, noted in the folder's manifest.
struct FolderMove: Equatable, Sendable {
    /// The source, as the setting `storage` names it.
    let from: String
    let to: String
    /// The file with the password of the server; `nil` if none was named.
    let passwordFile: String?
    /// `false` while the copy is made: nothing may write to the old database, and nothing is read from the new one.
    /// Once it is `true`, the new one counts.
    var isDone: Bool

    var target: StorageKind { to == StorageKind.sqlite.rawValue ? .sqlite : .postgres }

    /// The storage that counts, for a service whose setting names one of the two; `nil` if that is the named one.
    func counting(for storage: String) -> String? {
        let counting = isDone ? to : from
        return storage != counting && (storage == from || storage == to) ? counting : nil
    }

    /// Removes the main database's file after a move to a server: it contains names that no erasure reaches.
    static func removeOld(in folder: String) {
        for ending in ["", "-wal", "-shm"] { unlink("\(folder)/\(FolderDatabases.storageName)\(ending)") }
    }

    /// Removes the folder's files about its node on a server: another database does not know that node, and the mirror
    /// of the old one is no longer followed.
    static func removeNode(in folder: String) {
        unlink("\(folder)/\(FolderFile.node)")
        for ending in ["", "-wal", "-shm"] { unlink("\(folder)/\(FolderDatabases.mirrorName)\(ending)") }
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("from", from)
            writer.member("to", to)
            if let passwordFile { writer.member("passwordFile", passwordFile) }
            writer.member("done", isDone)
        }
    }

    static var shape: JSONShape<FolderMove> {
        .object { fields throws(BodyProblems) in
            fields.ignoreUnknownMembers()
            let from = fields.required("from", .string)
            let to = fields.required("to", .string)
            let passwordFile = fields.optional("passwordFile", .string)
            let isDone = fields.required("done", .bool)
            try fields.finish()
            return FolderMove(
                from: try from.get(), to: try to.get(), passwordFile: passwordFile, isDone: try isDone.get())
        }
    }
}
