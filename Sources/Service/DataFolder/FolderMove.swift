import Glibc
import JSON

/// That the main database of a folder is moved, or was: noted in the folder's manifest.
struct FolderMove: Equatable, Sendable {
    /// As the setting `storage` names it.
    let from: String
    let to: String
    /// With the password of the server; `nil` where none was named.
    let passwordFile: String?
    /// `false` while the copy is made: nothing may write to the old database, and nothing is read from the new one. From
    /// then on the new one counts.
    var isDone: Bool

    var target: StorageKind { to == StorageKind.sqlite.rawValue ? .sqlite : .postgres }

    /// The storage that counts, for a service that was set up with one of the two; `nil` for that which it names.
    func counting(for storage: String) -> String? {
        let counting = isDone ? to : from
        return storage != counting && (storage == from || storage == to) ? counting : nil
    }

    /// Removes the file of a folder whose main database was moved to a server: it has names that no erasure reaches.
    static func removeOld(in folder: String) {
        for ending in ["", "-wal", "-shm"] { unlink("\(folder)/\(FolderDatabases.storageName)\(ending)") }
    }

    /// Removes what a folder has of the node that it was on a server: another database does not know that node, and what
    /// was mirrored of the old one is followed no more.
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
