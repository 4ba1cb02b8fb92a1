import StoragePorts

/// The database was moved into a data folder and must not be used any more.
package struct MigratedDatabase: StoreFailure, Hashable {
    static let beginning = "moved to "

    private let note: String

    /// - Returns: `nil` for a text that is not such a note.
    init?(_ note: String) {
        guard note.hasPrefix(Self.beginning) else { return nil }
        self.note = note
    }

    package var description: String { "the database was \(note)" }
    package var isTransient: Bool { false }
}
