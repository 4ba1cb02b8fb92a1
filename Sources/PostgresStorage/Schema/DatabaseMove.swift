import Identifiers

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
