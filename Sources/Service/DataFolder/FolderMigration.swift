import Glibc
import Identifiers
import JSON
import PostgresStorage
import SQLiteFiles

/// A current or finished move of a folder's main database, noted in the folder's manifest.
struct FolderMigration: Equatable, Sendable {
    /// How far it is. While it is ``begun`` or ``copying``, the old database counts and nothing may write to it; after
    /// that, the new one counts.
    enum State: Equatable, Sendable {
        /// Nothing that was copied may be continued.
        case begun
        /// Rows are copied. With the number of commits of the source, which is 0 for a file.
        case copying(commits: Int64)
        /// The old database, the new one or the running service was not told yet.
        case switched
        case done
    }

    /// The source, as the setting `storage` names it.
    let from: String
    let to: String
    /// The file with the password of the server; `nil` if none was named.
    private(set) var passwordFile: String?
    var state: State
    /// Random; `nil` for a move that an earlier version noted.
    private(set) var id: String?
    /// The sources of the moves before this one, the last one last: the setting of a service may still name one.
    var former: [String] = []

    init(
        from: String, to: String, passwordFile: String?, state: State, id: String? = nil, former: [String] = []
    ) {
        (self.from, self.to, self.passwordFile) = (from, to, passwordFile)
        (self.state, self.id, self.former) = (state, id, former)
    }

    /// A move that begins now, or one that is done.
    init(from: String, to: String, passwordFile: String?, isDone: Bool, former: [String] = []) {
        var generator = SystemRandomNumberGenerator()
        self.init(
            from: from, to: to, passwordFile: passwordFile, state: isDone ? .done : .begun,
            id: isDone ? nil : FolderID(using: &generator).description, former: former)
    }

    /// Whether the new database counts.
    var isDone: Bool { state == .switched || state == .done }

    /// The move for the database on this side; `nil` if that one is a file, or an earlier version noted the move.
    func database(_ side: DatabaseMove.Side) -> DatabaseMove? {
        guard (side == .target) == (target == .postgres) else { return nil }
        return id.map { DatabaseMove(id: $0, side: side, isDone: isDone) }
    }

    var target: StorageKind { to == StorageKind.sqlite.rawValue ? .sqlite : .postgres }

    /// The storage that counts, for a service whose setting names one of the two or a former one; `nil` if that is the
    /// named one, or if the setting names another.
    func counting(for storage: String) -> String? {
        let counting = isDone ? to : from
        guard !StorageChoice.areSame(storage, counting) else { return nil }
        return ([from, to] + former).contains { StorageChoice.areSame(storage, $0) } ? counting : nil
    }

    /// This move as the next one after `last`, or as the same one, which continues.
    func following(_ last: FolderMigration?) -> FolderMigration {
        guard let last else { return self }
        var next = self
        if !last.isDone, let id = last.id { (next.id, next.state) = (id, last.state) }
        next.former = last.former
        if last.isDone {
            next.former.removeAll { StorageChoice.areSame($0, last.from) }
            next.former.append(last.from)
        }
        // The source stays in use until the move is done, and only the last move may have named its password.
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

    /// Removes the folder's files about its node on a server: another database does not know that node, and the mirror
    /// of the old one is no longer followed.
    static func removeNode(in folder: String) {
        unlink("\(folder)/\(FolderFile.node)")
        let mirror = "\(folder)/\(FolderDatabases.mirrorName)"
        for file in [mirror] + DatabasePaths.logFiles(of: mirror) { unlink(file) }
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("from", from)
            writer.member("to", to)
            if let passwordFile { writer.member("passwordFile", passwordFile) }
            writer.member("done", isDone)
            if let id { writer.member("id", id) }
            if case .copying(let commits) = state { writer.member("commits", Int(commits)) }
            if state == .switched { writer.member("told", false) }
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
            let id = fields.optional("id", .string)
            let commits = fields.optional("commits", JSONShape<Int>.integer(in: 0...Int.max))
            let isTold = fields.optional("told", .bool)
            let former = fields.optional("former", .array(of: .string))
            try fields.finish()
            return FolderMigration(
                from: try from.get(), to: try to.get(), passwordFile: passwordFile,
                state: try isDone.get()
                    ? isTold ?? true ? .done : .switched
                    : commits.map { .copying(commits: Int64($0)) } ?? .begun,
                id: id, former: former ?? [])
        }
    }
}
