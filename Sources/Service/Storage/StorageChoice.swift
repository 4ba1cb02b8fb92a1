package import PostgresClient

/// The place of the main database: the setting `storage`.
package enum StorageChoice: Sendable {
    /// A SQLite file in the data folder.
    case embedded
    case postgres(PostgresSettings)

    package var kind: StorageKind {
        switch self {
        case .embedded: .sqlite
        case .postgres: .postgres
        }
    }
}
