import Identifiers
import SQL
import StoragePorts

/// A move of everything from one database to another, for one of the two.
///
/// The database has the move's note in the place of the folder's id, so that no other process of any version uses it
/// meanwhile: nothing changes in the source, and no process takes an incomplete target for a complete one.
package struct DatabaseMove: Hashable, Sendable {
    package enum Side: Sendable {
        /// Nodes may have shared it.
        case source
        /// The rows come here.
        case target
    }

    /// Random, by which two moves are told apart.
    package let id: String
    package let side: Side
    /// Whether the target counts.
    package let isDone: Bool

    package init(id: String, side: Side, isDone: Bool) {
        self.id = id
        self.side = side
        self.isDone = isDone
    }

    /// The note in the database.
    /// - Parameter folder: the data folder that is moved.
    func note(of folder: FolderID) -> String {
        let beginning = side == .source ? MovingDatabase.sourceBeginning : MovingDatabase.targetBeginning
        return "\(beginning)\(id)\(MovingDatabase.end(folder))"
    }
}

/// The data folder that uses a database, and its present move, if the database is a side of it.
struct DatabaseTenant: Hashable, Sendable {
    let folder: FolderID
    var move: DatabaseMove?

    /// The notes of a database that it may use.
    var notes: [String] { [folder.description] + (move.map { [$0.note(of: folder)] } ?? []) }

    /// The note that the database must have from now on; `nil` if it may keep the one that it has.
    var wantedNote: String? {
        guard let move, move.side == .target else { return nil }
        return move.isDone ? folder.description : move.note(of: folder)
    }

    /// - Throws: ``MigratedDatabase``; ``MovingDatabase``; ``OtherFolder``.
    func require(_ note: String) throws {
        if let moved = MigratedDatabase(note) { throw moved }
        guard !notes.contains(note) else { return }
        if let moving = MovingDatabase(note) { throw moving }
        throw OtherFolder()
    }
}

/// The database is a side of a move that is not done, and the process knows nothing of that move.
package struct MovingDatabase: StoreFailure, Hashable {
    static let sourceBeginning = "is moved by "
    static let targetBeginning = "is filled by "

    /// The end of a note of this folder's moves.
    static func end(_ folder: FolderID) -> String { " of \(folder)" }

    private let isSource: Bool

    /// - Returns: `nil` for a text that is not such a note.
    init?(_ note: String) {
        isSource = note.hasPrefix(Self.sourceBeginning)
        guard isSource || note.hasPrefix(Self.targetBeginning) else { return nil }
    }

    package var description: String {
        guard isSource else { return "the database has a part of another storage, whose move to it is not done" }
        return """
            the database is being moved into a data folder: end that with consentlink migrate on that folder, or give it \
            up with --abandon on any folder of this database
            """
    }
    package var isTransient: Bool { true }
}
