import Identifiers
import StoragePorts

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
