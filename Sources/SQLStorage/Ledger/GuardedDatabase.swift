import Identifiers
import Ledger
import Messages
import SQL

/// Reads and writes the data of one organization, and closes its ledger if some of the data cannot be read.
struct GuardedDatabase: Sendable {
    let database: any SQLDatabase
    let ledgers: CommittedLedgers

    /// Runs an operation on the data of one organization. A row that cannot be read closes the organization's ledger.
    ///
    /// - Throws: `LedgerInconsistency` instead of ``RowError/unreadable(_:)``, ``RowError/unreadableRecipient(_:)`` and
    ///   ``UnreadableMessageRow``. `UnreadableMessage` for a message of another organization, whose name the caller must
    ///   not learn; the ledger of that one is closed.
    func run<Value: Sendable>(
        _ organization: OrganizationID, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch RowError.unreadable(let row) {
            throw await close(organization, becauseOf: row)
        } catch RowError.unreadableRecipient(let number) {
            let reason = LedgerInconsistency(organization, .derived(.recipient(number)))
            ledgers.close(because: reason)
            throw reason
        } catch let row as UnreadableMessageRow {
            ledgers.close(because: row.reason)
            guard row.organization == organization else { throw UnreadableMessage() }
            throw row.reason
        }
    }

    /// Runs an operation on messages. One that cannot be read closes the ledger of its organization.
    ///
    /// - Throws: `UnreadableMessage` instead of ``UnreadableMessageRow``.
    func run<Value: Sendable>(onMessages body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let row as UnreadableMessageRow {
            ledgers.close(because: row.reason)
            throw UnreadableMessage()
        }
    }

    /// Reads the data of one organization in a snapshot, as ``run(_:_:)`` does.
    func read<Value: Sendable>(
        of organization: OrganizationID, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await run(organization) { try await database.read(body) }
    }

    /// Reads like ``read(of:_:)`` if that may take long: the read takes turns with other long reads, and short reads do
    /// not wait for it.
    func readLong<Value: Sendable>(
        of organization: OrganizationID, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await run(organization) { try await database.read(.long(owner: organization.hashValue), body) }
    }

    /// Writes data of one organization, as ``run(_:_:)`` does.
    func write<Value: Sendable>(
        to organization: OrganizationID, load: WriteLoad = .short,
        _ body: @escaping @Sendable (WriteContext) throws -> Value
    ) async throws -> Value {
        try await run(organization) { try await database.write(load: load, body) }
    }

    /// Closes the ledger of an organization in which a row cannot be read, and names its entry.
    @discardableResult
    func close(_ organization: OrganizationID, becauseOf row: LedgerRowName) async -> LedgerInconsistency {
        let entry = try? await database.read { db -> UInt64? in
            try LedgerRows(OrganizationRow.number(of: organization, db), db).leaf(of: row)
        }
        let reason = LedgerInconsistency(organization, .row(row, entry: entry ?? nil, .unreadable))
        ledgers.close(because: reason)
        return reason
    }

    /// Runs an operation that reads an organization's settings. If they cannot be read, its ledger is closed.
    ///
    /// - Throws: `LedgerInconsistency` instead of ``StorageError/unreadable``.
    func run<Value: Sendable>(
        settingsOf organization: OrganizationID, _ derivation: LedgerDerivation = .settings,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch StorageError.unreadable {
            let reason = LedgerInconsistency(organization, .derived(derivation))
            ledgers.close(because: reason)
            throw reason
        }
    }
}
