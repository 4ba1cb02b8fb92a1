/// What keeps the main database of a data folder.
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
