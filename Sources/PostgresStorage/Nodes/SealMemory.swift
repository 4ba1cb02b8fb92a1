/// What a data folder knows of the demand for seals (`LedgerSeals`), which somebody who can write the database cannot
/// change.
package struct SealMemory: Sendable {
    /// Of a folder that knows nothing.
    package static let none = SealMemory(database: nil) { _ in }

    /// The number of the database in which seals are demanded (``PostgresStorage/databaseNumber``); `nil` for none. A
    /// database that was restored from a dump, or that a storage was moved to, has another number.
    let database: String?
    /// Keeps the number of the database for the next process.
    let note: @Sendable (String) -> Void

    /// Whether seals are demanded in a database, as far as the folder knows.
    /// - Parameter number: `nil` if it cannot be read. An attacker can take that right from the role.
    func demands(in number: String?) -> Bool { database != nil && (number == nil || number == database) }

    package init(database: String?, note: @escaping @Sendable (String) -> Void) {
        self.database = database
        self.note = note
    }
}
