import GRDB
import SQL
import SQLStorage
import SQLiteFiles

/// The connection of the main file that writes, on its queue.
final class SQLiteWriter: WriterEngine, @unchecked Sendable {
    // Sendable: the connection is used on the writer's queue only; the rest does not change.
    private let file: DatabaseFile
    private let connection: SQLiteFileConnection

    init(_ file: DatabaseFile, _ knownPurposes: KnownNames) {
        self.file = file
        connection =
            file.writer.writeWithoutTransaction { db in
                UncheckedBox(SQLiteFileConnection(db, knownPurposes: knownPurposes))
            }.value
    }

    func schedule(_ work: @escaping @Sendable () -> Void) {
        file.writer.asyncWriteWithoutTransaction { _ in work() }
    }

    func transaction(_ body: (any SQLConnection) throws -> Void) throws {
        let db = connection.database
        let changesBefore = db.totalChangesCount
        try file.health.requireWorking()
        try file.transaction(db) { try body(connection) }
        // A commit without changes succeeds even on a full disk.
        if db.totalChangesCount > changesBefore { file.health.setWorking() }
    }

    func savepoint(_ connection: any SQLConnection, _ body: () throws -> Void) throws -> (any Error)? {
        let db = self.connection.database
        var failure: (any Error)?
        try db.statement("SAVEPOINT request").run()
        do {
            try body()
        } catch {
            // SQLite rolls back the whole transaction, for example on a full disk. Then the transaction cannot
            // continue.
            guard db.isInsideTransaction, !((error as? StorageError)?.isFatal ?? false) else { throw error }
            try db.statement("ROLLBACK TO request").run()
            failure = error
        }
        try db.statement("RELEASE request").run()
        return failure
    }

    func withConnection<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value {
        try file.writer.writeWithoutTransaction { _ in UncheckedBox(try body(connection)) }.value
    }

    func didAnswer() { file.checkpointIfLong(connection.database) }

    func translating(_ error: any Error) -> any Error { StorageError.translating(error) }
}

/// Carries a value that belongs to the writer's queue to its owner.
private struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
