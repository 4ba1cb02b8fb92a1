package import Cryptography
package import Identifiers
package import Ledger
package import PostgresClient
import SQL
package import SQLStorage
import StoragePorts

/// Reads a ledger in a database that nodes may be using, and seals it (`LedgerSeals`) for an operator who has found out
/// that its newest entries count.
package struct LedgerSealing: Sendable {
    /// A ledger, and what is asked of it in the same snapshot.
    package struct Reading: Sendable {
        package let ledger: StoredLedger
        /// The greatest tree that was signed; `nil` if none was.
        package let signed: TreeHead?
        /// `nil` if it continues every tree that was signed, and the rows behind them are those of its own tree.
        package let inconsistency: LedgerInconsistency?
        /// Those behind the last signed tree, from the first one on.
        package let entries: [LedgerItem]
    }

    private let settings: PostgresSettings
    private let tenant: DatabaseTenant
    private let erasureKey: SecretBytes

    /// - Parameters:
    ///   - folder: the data folder that the database must belong to.
    ///   - erasureKey: the folder's, which all nodes have.
    package init(_ settings: PostgresSettings, folder: FolderID, erasureKey: SecretBytes) {
        self.settings = settings
        tenant = DatabaseTenant(folder: folder)
        self.erasureKey = erasureKey
    }

    /// Changes nothing.
    /// - Parameters:
    ///   - count: of entries at most.
    ///   - signed: gives the trees that were signed, for the ledger as it is stored.
    /// - Returns: `nil` if there is no such organization.
    /// - Throws: a `StoreFailure`, a `LedgerInconsistency` if the ledger cannot be read, and what `signed` throws.
    package func read(
        _ organization: OrganizationID, entries count: Int,
        signed: @escaping @Sendable (StoredLedger) throws -> [TreeHead]
    ) async throws -> Reading? {
        try await withConnection { [erasureKey] connection, db in
            try connection.snapshot {
                let seals = try LedgerSeals(erasureKey: erasureKey)
                guard let ledger = try StoredLedger.load(organization, seals, db) else { return nil }
                let heads = try signed(ledger)
                let last = heads.max { $0.size < $1.size }
                for head in heads {
                    guard let finding = try ledger.inconsistency(with: head, db) else { continue }
                    return Reading(ledger: ledger, signed: last, inconsistency: finding, entries: [])
                }
                let finding = try ledger.inconsistency(behind: last, db)
                let entries = finding == nil ? try ledger.entries(from: last?.size ?? 0, count: count, db) : []
                return Reading(ledger: ledger, signed: last, inconsistency: finding, entries: entries)
            }
        }
    }

    /// Seals a ledger if its tree is this one. As durable on return as an append; every node reads the ledger before it
    /// enters anything more.
    /// - Returns: whether it is sealed; `false` if the ledger has changed.
    /// - Throws: as ``read(_:entries:signed:)`` does.
    package func seal(_ organization: OrganizationID, at head: TreeHead) async throws -> Bool {
        try await withConnection { [settings, erasureKey] connection, db in
            try PostgresCheck.requireDurableCommits(settings.durability, connection)
            return try connection.takingTurn {
                let seals = try LedgerSeals(erasureKey: erasureKey)
                guard let ledger = try StoredLedger.load(organization, seals, db), ledger.head == head else {
                    return false
                }
                try ledger.seal(seals, db)
                // A node that wrote last would go on with the frontier that it has in memory.
                try db.statement("UPDATE writer SET generation = generation + 1").run()
                return true
            }
        }
    }

    private func withConnection<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection, StorageConnection) throws -> Value
    ) async throws -> Value {
        guard try await PostgresReading.isCurrent(settings) else { throw OlderTables() }
        return try await PostgresSchema.withConnection(settings) { [tenant, erasureKey] connection in
            try DatabaseOwner.require(tenant, connection)
            try ErasureKeyCheck.require(RecipientHasher(key: erasureKey), connection)
            let keys = SealingKeys(key: erasureKey)
            return try body(connection, StorageConnection(connection, sealer: try keys.sealer()))
        }
    }
}

private struct OlderTables: StoreFailure {
    var description: String {
        "the database has the tables of an earlier version: start a node of this version, and run this again"
    }
    var isTransient: Bool { true }
}
