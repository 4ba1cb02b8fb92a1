import Cryptography
import PostgresStorage
import SQLStorage
import SQLiteStorage

/// The database that is read, whether or not a service has it open.
struct MigrationSource {
    let reading: any SQLReading
    let close: () -> Void
    private let isCurrent: () async throws -> Bool

    init(_ storage: StorageChoice, folder: String, _ key: SecretBytes) throws {
        switch storage {
        case .embedded:
            let file = try SQLiteReading(folder: folder)
            (reading, close, isCurrent) = (file, { try? file.close() }, { try await file.isCurrent() })
        case .postgres(let server):
            let database = PostgresReading(server, erasureKey: key)
            (reading, close) = (database, { database.close() })
            isCurrent = { try await PostgresReading.isCurrent(server) }
        }
    }

    /// Checks that the database is as a start of this version leaves it. The copy leaves out what such a start still had
    /// to do.
    /// - Throws: ``StorageMigrationError/sourceNotReady``, or a `StoreFailure`.
    func requireReady() async throws {
        guard try await isCurrent(), try await reading.read(CopyReadiness.isFilled) else {
            throw StorageMigrationError.sourceNotReady
        }
    }
}
