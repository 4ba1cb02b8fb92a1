import Identifiers

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
