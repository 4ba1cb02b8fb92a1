import Cryptography
import PostgresStorage
import SQLStorage
import SQLiteStorage

/// The database that is read, whether or not a service has it open.
struct MigrationSource {
    let reading: any SQLReading
    let close: () -> Void

    init(_ storage: StorageChoice, folder: String, _ key: SecretBytes) throws {
        switch storage {
        case .embedded:
            let file = try SQLiteReading(folder: folder)
            (reading, close) = (file, { try? file.close() })
        case .postgres(let server):
            let database = PostgresReading(server, erasureKey: key)
            (reading, close) = (database, { database.close() })
        }
    }
}
