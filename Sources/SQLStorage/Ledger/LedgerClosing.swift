import Identifiers
import Ledger
import SQL

/// Reads and writes what belongs to one organization, and closes the organization's ledger when something of it cannot
/// be read.
struct LedgerClosing: Sendable {
    let database: any SQLDatabase
    let ledgers: CommittedLedgers

    /// Runs what concerns one organization. A row that cannot be read closes the organization's ledger.
    ///
    /// - Throws: `LedgerInconsistency` in the place of ``RowError/unreadable(_:)``.
    func run<Value: Sendable>(
        _ organization: OrganizationID, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch RowError.unreadable(let row) {
            throw await close(organization, becauseOf: row)
        }
    }

    /// Reads in a snapshot what belongs to one organization, as ``run(_:_:)`` does.
    func read<Value: Sendable>(
        of organization: OrganizationID, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await run(organization) { try await database.read(body) }
    }

    /// The same for a reading that may take long: it waits for those of others in turn, and no short one waits for it.
    func readLong<Value: Sendable>(
        of organization: OrganizationID, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await run(organization) { try await database.read(.long(owner: organization.hashValue), body) }
    }

    /// Writes what belongs to one organization, as ``run(_:_:)`` does.
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

    /// Runs what reads an organization's settings. One that cannot be read closes its ledger.
    ///
    /// - Throws: `LedgerInconsistency` in the place of ``StorageError/unreadable``.
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
