import Glibc
import JSON
import SQLiteFiles

/// A current or finished move of a folder's main database, noted in the folder's manifest.
struct FolderMigration: Equatable, Sendable {
    /// The source, as the setting `storage` names it.
    let from: String
    let to: String
    /// The file with the password of the server; `nil` if none was named.
    private(set) var passwordFile: String?
    /// `false` while the copy is made: nothing may write to the old database, and nothing is read from the new one.
    /// Once it is `true`, the new one counts.
    var isDone: Bool
    /// The sources of the moves before this one, the last one last: the setting of a service may still name one.
    var former: [String] = []

    var target: StorageKind { to == StorageKind.sqlite.rawValue ? .sqlite : .postgres }

    /// The storage that counts, for a service whose setting names one of the two or a former one; `nil` if that is the
    /// named one, or if the setting names another.
    func counting(for storage: String) -> String? {
        let counting = isDone ? to : from
        guard !StorageChoice.areSame(storage, counting) else { return nil }
        return ([from, to] + former).contains { StorageChoice.areSame(storage, $0) } ? counting : nil
    }

    /// This move as the next one after `last`, or as the same one, which goes on.
    func following(_ last: FolderMigration?) -> FolderMigration {
        guard let last else { return self }
        var next = self
        next.former = last.former
        if last.isDone {
            next.former.removeAll { StorageChoice.areSame($0, last.from) }
            next.former.append(last.from)
        }
        // The source stays in use until the move is done, and its password may have been named by the last move alone.
        guard next.passwordFile == nil, target == .sqlite else { return next }
        next.passwordFile = last.passwordFile
        return next
    }

    /// The move before this one, which is not done and is given up; `nil` if there was none.
    var previous: FolderMigration? {
        guard let last = former.last else { return nil }
        return FolderMigration(
            from: last, to: from, passwordFile: target == .sqlite ? passwordFile : nil, isDone: true,
            former: former.dropLast())
    }

    /// Whether it is between the same databases, however they are spelled.
    func isSame(as other: FolderMigration) -> Bool {
        StorageChoice.areSame(from, other.from) && StorageChoice.areSame(to, other.to)
    }

    /// Removes the main database's file after a move to a server: it contains names that no erasure reaches.
    static func removeOld(in folder: String) {
        removeDatabase(at: "\(folder)/\(FolderDatabases.storageName)")
    }

    /// Removes the folder's files about its node on a server: another database does not know that node, and the mirror
    /// of the old one is no longer followed.
    static func removeNode(in folder: String) {
        unlink("\(folder)/\(FolderFile.node)")
        removeDatabase(at: "\(folder)/\(FolderDatabases.mirrorName)")
    }

    private static func removeDatabase(at path: String) {
        for file in [path] + DatabasePaths.logFiles(of: path) { unlink(file) }
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("from", from)
            writer.member("to", to)
            if let passwordFile { writer.member("passwordFile", passwordFile) }
            writer.member("done", isDone)
            guard !former.isEmpty else { return }
            writer.key("former")
            writer.array { writer in
                for name in former { writer.string(name) }
            }
        }
    }

    static var shape: JSONShape<FolderMigration> {
        .object { fields throws(BodyProblems) in
            fields.ignoreUnknownMembers()
            let from = fields.required("from", .string)
            let to = fields.required("to", .string)
            let passwordFile = fields.optional("passwordFile", .string)
            let isDone = fields.required("done", .bool)
            let former = fields.optional("former", .array(of: .string))
            try fields.finish()
            return FolderMigration(
                from: try from.get(), to: try to.get(), passwordFile: passwordFile, isDone: try isDone.get(),
                former: former ?? [])
        }
    }
}
