import Cryptography
import Identifiers
import PostgresClient
import PostgresStorage
import SQLStorage
import SQLiteStorage
import StoragePorts

/// Copies a main database into the new one, and compares the two.
struct MigrationCopy {
    let source: StorageChoice
    let target: StorageChoice
    /// The path of the data folder.
    let folder: String
    let id: FolderID
    /// The move, if the new database is on a server.
    let move: DatabaseMove?
    let key: SecretBytes

    /// - Throws: a `StoreFailure`; ``StorageMigrationError/different(_:)``
    func run(_ note: @escaping @Sendable (StorageMigration.Step) -> Void) async throws -> StorageComparison {
        let source = try MigrationSource(source, folder: folder, key)
        defer { source.close() }
        let first = try await openTarget()
        do {
            try await StorageCopy(from: source.reading, to: first).run { progress in
                note(.copying(table: progress.table, rows: progress.rows, of: progress.total))
            }
        } catch {
            try? first.close()
            throw error
        }
        try first.close()
        // Opened again, so that only its stored content counts.
        let second = try await openTarget()
        let comparison: StorageComparison
        do {
            note(.comparing(0))
            comparison = try await StorageCopy(from: source.reading, to: second).compare { note(.comparing($0)) }
        } catch {
            try? second.close()
            throw error
        }
        try second.close()
        guard comparison.isEqual else {
            throw StorageMigrationError.different(comparison.otherTables + comparison.otherLedgers)
        }
        return comparison
    }

    private func openTarget() async throws -> any OpenStorage {
        let host = "moved"
        let clock: @Sendable () -> Timestamp = { .now }
        switch target {
        case .embedded:
            let copy = MigrationFiles(folder: folder).copy
            try DataFolder.makeFolder(copy)
            try SQLiteStorage.make(folder: copy, id: id)
            return try SQLiteStorage.open(
                folder: copy, erasureKey: key, ledgerHost: host, observer: NoRuleObserver(), clock: clock)
        case .postgres(let server):
            return try await PostgresStorage.open(
                server, folder: id, move: move, isNew: true, node: nil, erasureKey: key, ledgerHost: host,
                observer: NoRuleObserver(), clock: clock)
        }
    }
}
