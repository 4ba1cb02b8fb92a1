/// The kind of database that is a data folder's main database.
package enum StorageKind: String, CaseIterable, Hashable, Sendable {
    case sqlite
    case postgres

    package var description: String {
        switch self {
        case .sqlite: "its embedded store"
        case .postgres: "PostgreSQL"
        }
    }
}
