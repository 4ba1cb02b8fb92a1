import GRDB
package import SQL
import SQLStorage
import SQLiteFiles

/// Reads the file of a folder that a service may have open. The file must have the schema of this version.
package struct SQLiteReading: SQLReading {
    private let file: ReadOnlyFile

    package init(folder: String) throws { file = try ReadOnlyFile(path: "\(folder)/\(SQLiteStorage.fileName)") }

    package func read<Value: Sendable>(
        _ length: ReadingLength, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        do {
            return try await file.readers.read(length) { db in try body(SQLiteFileConnection(db)) }
        } catch {
            throw StorageError.translating(error)
        }
    }

    /// Whether the file has the tables of this version. Reads nothing else.
    /// - Throws: ``StorageError/newerSchema(found:known:)``, or ``StorageError/foreignSchema(_:)`` if another program
    ///   changed them.
    package func isCurrent() async throws -> Bool {
        do {
            return try await file.readers.read(.short) { db in try Schema.main.isCurrent(db) }
        } catch {
            throw StorageError.translating(error)
        }
    }

    package func close() throws { try file.readers.close() }
}
