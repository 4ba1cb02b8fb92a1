package import Identifiers
package import Ledger
import SQL

/// Reads the ledgers in a database.
package struct SQLLedgerStore: CheckpointStore {
    let database: any SQLDatabase
    /// The committed state of the ledgers.
    let ledgers: CommittedLedgers
    let hasher: RecipientHasher
    let closedRows = ClosedRowCount()
    private let guarded: GuardedDatabase

    init(_ guarded: GuardedDatabase, hasher: RecipientHasher) {
        database = guarded.database
        ledgers = guarded.ledgers
        self.guarded = guarded
        self.hasher = hasher
    }

    package func head(of organization: OrganizationID) async throws -> LedgerHead? {
        try await read(organization, isCurrent: true) { tree, db in
            var hasher = TreeHasher()
            guard let origin = try LedgerRow.origin(of: tree.organization, db) else { return nil }
            return LedgerHead(origin: origin, head: tree.frontier.head(&hasher), isSealed: tree.isSealed)
        }
    }

    package func tile(_ id: TileID, width: Int, in organization: OrganizationID) async throws -> Tile? {
        try await read(organization) { tree, db in try tree.tile(id, width: width, db) }
    }

    package func entries(
        from first: UInt64, count: Int, in organization: OrganizationID
    ) async throws -> [LedgerItem] {
        let found = try await read(organization) { tree, db in
            var items: [LedgerItem] = []
            var unreadable: LedgerRowName?
            let note = { (row: LedgerRowName, _: UInt64) in unreadable = unreadable ?? row }
            try LedgerRows(tree.organization, db).forEach(from: first, count: count, unreadable: note) {
                location, rendered in
                items.append(location.item(&rendered))
            }
            return (items: items, unreadable: unreadable)
        }
        if let row = found?.unreadable { await guarded.close(organization, becauseOf: row) }
        return found?.items ?? []
    }

    package func entry(of decision: DecisionID, in organization: OrganizationID) async throws -> LedgerItem? {
        try await readClosing(organization) { tree, db in
            try LedgerRows(tree.organization, db).item(.decision, Int64(decision.rawValue))
        }
    }

    package func entry(of consent: ConsentRecordID, in organization: OrganizationID) async throws -> LedgerItem? {
        try await readClosing(organization) { tree, db in
            try LedgerRows(tree.organization, db).item(.consent, Int64(consent.rawValue))
        }
    }

    package func entry(of access: AccessID, in organization: OrganizationID) async throws -> LedgerItem? {
        try await readClosing(organization) { tree, db in
            try LedgerRows(tree.organization, db).item(.access, Int64(access.rawValue))
        }
    }

    package func begin(at now: Timestamp) async throws -> [OrganizationID] {
        // In one snapshot: readers of links wait for this, and each snapshot waits for a thread.
        let (ids, without) = try await database.read { db in
            let ids = try OrganizationSettingsRow.ids(db)
            return (ids, try ids.filter { try LedgerRow.origin(of: OrganizationRow.number(of: $0, db), db) == nil })
        }
        for id in without {
            do {
                try await guarded.run(settingsOf: id) {
                    try await database.write { writing in
                        let row = try OrganizationRow.require(id, writing.db)
                        var append = try LedgerAppend(row, named: id, at: now, writing)
                        try append.finish()
                    }
                }
            } catch is LedgerInconsistency {
                // The ledger of this organization is closed; the others are begun.
            }
        }
        return ids
    }

    package func origin(of organization: OrganizationID) async throws -> String? {
        let (isThere, origin) = try await database.read { db -> (Bool, String?) in
            guard let number = try OrganizationRow.number(ifAny: organization, db) else { return (false, nil) }
            return (true, try LedgerRow.origin(of: number, db))
        }
        guard isThere, origin == nil else { return origin }
        let reason = LedgerInconsistency(organization, .derived(.ledger))
        close(because: reason)
        throw reason
    }

    package func check(_ organization: OrganizationID, against head: TreeHead) async throws -> LedgerInconsistency? {
        // A server with an earlier state would report a wrong inconsistency.
        let finding = try await database.readCurrent { db -> LedgerInconsistency.Finding? in
            let number = try OrganizationRow.number(of: organization, db)
            do {
                return try LedgerCheck(organization: number, db).finding(against: head)
            } catch StorageError.unreadable {
                return .derived(.runs(0))
            }
        }
        guard let finding else { return nil }
        let reason = LedgerInconsistency(organization, finding)
        close(because: reason)
        return reason
    }

    package var committedHeads: [OrganizationID: TreeHead] { ledgers.committedHeads }

    package func close(because reason: LedgerInconsistency) { ledgers.close(because: reason) }

    package func onInconsistency(_ body: @escaping @Sendable (LedgerInconsistency) -> Void) {
        ledgers.onInconsistency(body)
    }

    package var inconsistencies: [LedgerInconsistency] { ledgers.inconsistencies }

    package func keepErased(of organization: OrganizationID) async throws -> ErasedOpenings {
        let openings = ledgers.keepErased(of: organization, areOfAllNodes: !database.hasSeveralWriters)
        // An erasure that was committed just before may not be in the head yet; after another write it is. If the store
        // cannot be written, no recipient is erased.
        try? await database.write { _ in }
        return openings
    }

    package func checkpoint(of organization: OrganizationID) async throws -> String? {
        try await database.read { db in
            guard let number = try OrganizationRow.number(ifAny: organization, db) else { return nil }
            return try LedgerRow.checkpoint(of: number, db)
        }
    }

    package func keep(checkpoint: String, of organization: OrganizationID, after head: TreeHead?) async throws {
        try await database.write { writing in
            let number = try OrganizationRow.number(of: organization, writing.db)
            let kept = try LedgerRow.checkpoint(of: number, writing.db)
            guard kept != checkpoint else { return }
            guard kept.map({ Self.head(of: $0) }) == head.map({ Optional($0) }) else { throw CheckpointMoved() }
            try LedgerRow.keep(checkpoint: checkpoint, of: number, writing.db)
            guard let size = Self.head(of: checkpoint)?.size, let frontier = try Self.frontier(of: number, writing)
            else {
                return
            }
            try CommittedLeaves.keep(of: number, at: size, frontier, writing.db)
        }
    }

    package func seal(_ organization: OrganizationID, at head: TreeHead) async throws {
        guard let seals = ledgers.seals else { return }
        try await database.write { writing in
            let number = try OrganizationRow.number(of: organization, writing.db)
            let tree = try LedgerTree.current(number, writing.db)
            var hasher = TreeHasher()
            guard tree.frontier.head(&hasher) == head else { return }
            try LedgerFrontierRow.keep(tree.frontier, of: number, named: organization, seals, writing.db)
        }
    }

    private static func frontier(of organization: Int64, _ writing: WriteContext) throws -> TreeFrontier? {
        if let known = writing.ledgers.frontiers.frontier(of: organization) { return known }
        // Another node wrote the entries.
        return writing.db.dialect.hasSeveralWriters ? try LedgerTree.current(organization, writing.db).frontier : nil
    }

    /// The tree that a note is about; `nil` if the note is not a checkpoint.
    private static func head(of checkpoint: String) -> TreeHead? {
        guard let note = try? SignedNote(Array(checkpoint.utf8)) else { return nil }
        return try? Checkpoint(note.text).head
    }

    package var isShared: Bool { database.hasSeveralWriters }

    package func drainGrown() -> Set<OrganizationID> { ledgers.drainGrown() }

    package func unsigned() async throws -> [OrganizationID: UInt64] {
        try await database.read { db in
            var unsigned: [OrganizationID: UInt64] = [:]
            for id in try OrganizationSettingsRow.ids(db) {
                let number = try OrganizationRow.number(of: id, db)
                let size = try LedgerTree.size(of: number, db)
                let signed = try LedgerRow.checkpoint(of: number, db).flatMap(Self.head)?.size ?? 0
                if size > signed { unsigned[id] = signed }
            }
            return unsigned
        }
    }

    package func addGrown(_ organizations: Set<OrganizationID>) { ledgers.addGrown(organizations) }

    package func onGrowth(_ body: @escaping @Sendable () -> Void) { ledgers.onGrowth(body) }

    /// Runs `body` in a snapshot, and closes the ledger if a row cannot be read.
    private func readClosing<Value: Sendable>(
        _ id: OrganizationID, _ body: @escaping @Sendable (LedgerTree, any SQLConnection) throws -> Value?
    ) async throws -> Value? {
        try await guarded.run(id) { try await read(id, body) }
    }

    /// Runs `body` in a snapshot. The snapshot has all entries of the tree, because a frontier is published when it is
    /// committed. If other processes write too, the frontier in memory may be older.
    ///
    /// - Returns: `nil` if there is no such organization.
    /// - Parameter isCurrent: whether the snapshot must have everything that was acknowledged anywhere.
    private func read<Value: Sendable>(
        _ id: OrganizationID, isCurrent: Bool = false,
        _ body: @escaping @Sendable (LedgerTree, any SQLConnection) throws -> Value?
    ) async throws -> Value? {
        let (known, isDemanded) = (ledgers.frontier(of: id), ledgers.seals?.areDemanded ?? false)
        let inTree = { @Sendable [ledgers] (db: any SQLConnection) -> Value? in
            guard let number = try OrganizationRow.number(ifAny: id, db) else { return nil }
            if let known, try !db.dialect.hasSeveralWriters || known.size == LedgerTree.size(of: number, db) {
                return try body(LedgerTree(organization: number, frontier: known), db)
            }
            let tree = try LedgerTree.current(number, named: id, ledgers.seals, isDemanded: isDemanded, db)
            ledgers.publishUnlessKnown(tree, of: id)
            return try body(tree, db)
        }
        return isCurrent ? try await database.readCurrent(inTree) : try await database.read(inTree)
    }
}
