import Consent
import Identifiers
import Ledger
import SQL

/// The entries that one write adds to a ledger. ``finish()`` must be called after the last one.
struct LedgerAppend {
    private let writing: WriteContext
    private let ledgers: LedgerWriting
    private let organization: Int64
    private let id: OrganizationID
    private var frontier: TreeFrontier
    private var run: LedgerRun?
    private let insertTile: SQLStatement

    /// Begins the ledger of an organization that has none yet: its first entry is the enforcement that applies.
    ///
    /// - Throws: `LedgerInconsistency` for a closed ledger.
    init(_ organization: OrganizationRow, named id: OrganizationID, at now: Timestamp, _ writing: WriteContext) throws {
        self.writing = writing
        ledgers = writing.ledgers
        self.organization = organization.number
        self.id = id
        let db = writing.db
        try ledgers.frontiers.requireWhole(id)
        insertTile = try db.statement(
            "INSERT INTO ledger_tiles (organization, level, tile, hashes) VALUES (?, ?, ?, ?)")
        if let known = ledgers.frontiers.frontier(of: organization.number) {
            frontier = known
        } else {
            let seals = ledgers.frontiers.seals
            let tree = try LedgerTree.current(
                organization.number, named: id, seals, isDemanded: seals?.areDemanded ?? false, db)
            frontier = tree.frontier
            if try frontier.size > 0 || LedgerAge.hasBegun(organization.number, db) { try requireRow() }
            guard tree.isSealed else { throw unsealed() }
        }
        if frontier.size == 0,
            try LedgerRow.begin(of: organization.number, named: id, host: ledgers.host, db)
        {
            try add(.enforcement(at: now, organization.enforcement))
        }
    }

    /// A ledger that has begun has a row. Without it the ledger is not compared with its checkpoints.
    private func requireRow() throws {
        guard try LedgerRow.origin(of: organization, writing.db) == nil else { return }
        let reason = LedgerInconsistency(id, .derived(.ledger))
        ledgers.frontiers.close(because: reason)
        throw reason
    }

    /// Why nothing is entered into a state without its seal. The signer decides whether the ledger is closed: a server
    /// that was replaced may have shown an earlier state, and one that was signed as a whole needs no seal.
    private func unsealed() -> LedgerInconsistency {
        ledgers.frontiers.doubt(id)
        return LedgerInconsistency(id, .derived(.seal))
    }

    /// Enters a decision that is about to be stored.
    mutating func add(
        _ id: DecisionID, about activity: TrackedActivity?, reason: DecisionReason, enforcement: Enforcement,
        of message: MessageID, purpose: Purpose, recipient: RecipientID?, consent: ConsentRecordID?, salt: Salt
    ) throws {
        ledgers.renderer.render(
            id, about: activity, reason: reason, enforcement: enforcement, of: message, purpose: purpose,
            recipient: recipient,
            consent: consent, commitment: .salt(salt))
        try add(.decision, Int64(id.rawValue))
    }

    mutating func add(_ record: ConsentRecord, about recipient: RecipientID, salt: Salt) throws {
        ledgers.renderer.render(record, about: recipient, commitment: .salt(salt))
        try add(.consent, Int64(record.id.rawValue))
    }

    mutating func add(_ access: AccessEntry, salt: Salt) throws {
        ledgers.renderer.render(access, commitment: .salt(salt))
        try add(.access, Int64(access.id.rawValue))
    }

    /// Enters an access whose private fields are not stored. Its commitment is kept at once, and the next entry says
    /// that it is closed.
    mutating func addClosed(_ access: AccessEntry, salt: Salt, at now: Timestamp) throws {
        ledgers.renderer.render(access, commitment: .salt(salt))
        let id = Int64(access.id.rawValue)
        if let commitment = ledgers.renderer.commitment(under: salt) {
            try RetainedCommitments.insertion(writing.db).run(LedgerKind.access, id, commitment)
        }
        try add(.access, id)
        try add(.accessesForgotten(at: now, accesses: 1))
    }

    /// Enters an event that has no row of its own, and stores the entry itself.
    mutating func add(_ event: LedgerEntry) throws {
        let json = event.json
        let number = try writing.db.statement(
            "INSERT INTO ledger_events (organization, entry) VALUES (?, ?) \(writing.db.dialect.returningNumber)"
        ).newNumber(organization, json)
        ledgers.renderer.take(json)
        try add(.event, number)
    }

    mutating func finish() throws {
        try writeRun()
        ledgers.frontiers.set(frontier, of: organization, named: id)
    }

    /// Enters the entry that was rendered last.
    private mutating func add(_ kind: LedgerKind, _ id: Int64) throws {
        let leaf = Int64(frontier.size)
        for tile in frontier.append(ledgers.renderer.leaf(), &ledgers.hasher) {
            try insertTile.run(organization, tile.id.level, Int64(tile.id.index), tile.bytes)
        }
        if run?.kind == kind, run?.count != LedgerRun.limit {
            run?.count += 1
            run?.lastID = id
        } else {
            try writeRun()
            run = LedgerRun(firstLeaf: leaf, count: 1, kind: kind, firstID: id, lastID: id)
        }
    }

    /// If the ledger ends with a run of the same kind and no other organization has rows in between, that run is
    /// extended. Otherwise, decisions that arrive one by one would have a run each.
    private mutating func writeRun() throws {
        guard let run else { return }
        self.run = nil
        let db = writing.db
        let last = try db.statement(
            """
            SELECT \(LedgerRun.columns) FROM ledger_runs WHERE organization = ? ORDER BY first_leaf DESC LIMIT 1
            """
        ).first(organization) { try LedgerRun($0) }
        // A node that wrote last goes on with what it has in memory, and reads no seal.
        let end = last.map { $0.firstLeaf &+ $0.count } ?? 0
        guard end == run.firstLeaf || !(ledgers.frontiers.seals?.areDemanded ?? false) else { throw unsealed() }
        if let last, last.kind == run.kind, last.count + run.count <= LedgerRun.limit,
            try lastRun(of: run.kind) == last.firstID
        {
            try db.statement(
                "UPDATE ledger_runs SET count = ?, last_id = ? WHERE organization = ? AND first_leaf = ?"
            ).run(last.count + run.count, run.lastID, organization, last.firstLeaf)
        } else {
            try db.statement(
                "INSERT INTO ledger_runs (organization, \(LedgerRun.columns)) VALUES (?, ?, ?, ?, ?, ?)"
            ).run(organization, run.firstLeaf, run.count, run.kind, run.firstID, run.lastID)
        }
    }

    /// The first id of the last run of a kind, in any ledger.
    private func lastRun(of kind: LedgerKind) throws -> Int64? {
        try writing.db.statement("SELECT first_id FROM ledger_runs WHERE kind = ? ORDER BY first_id DESC LIMIT 1")
            .first(kind) { $0.integer(0) }
    }
}
