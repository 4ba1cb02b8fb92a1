import Consent
import Identifiers
import Ledger
import SQL

/// Reads the entries of a ledger in the order of its tree, and renders each from its row.
///
/// If rows are missing, the next rows of the run take their positions, and their hashes reveal it.
struct LedgerRows {
    /// What an entry is about, and its position.
    struct Location {
        let leaf: UInt64
        let subject: LedgerItem.Subject
        let commitment: CommitmentSource?
    }

    private let organization: Int64
    private let db: any SQLConnection

    init(_ organization: Int64, _ db: any SQLConnection) {
        self.organization = organization
        self.db = db
    }

    /// Calls `visit` with the entries from leaf `first` on, at most `count`. The rendered bytes are valid during the
    /// call.
    ///
    /// - Parameter unreadable: is called instead for a row that cannot be read.
    func forEach(
        from first: UInt64, count: Int, unreadable: (LedgerRowName, UInt64) throws -> Void,
        _ visit: (Location, inout EntryRenderer) throws -> Void
    ) throws {
        guard count > 0, let first = Int64(exactly: first) else { return }
        let end = first.addingReportingOverflow(Int64(count)).partialValue
        var renderer = EntryRenderer()
        for run in try runs(first..<max(first, end)) {
            let wanted = run.leaves.clamped(to: first..<end)
            try forEach(run, wanted, &renderer, unreadable, visit)
        }
    }

    /// The entry of a row; `nil` if the ledger has no entry for this id.
    func item(_ kind: LedgerKind, _ id: Int64) throws -> LedgerItem? {
        var item: LedgerItem?
        var renderer = EntryRenderer()
        try forRow(kind, id, &renderer) { location, rendered in item = location.item(&rendered) }
        return item
    }

    /// Calls `visit` with the entry of a row, if the ledger has an entry for this id.
    func forRow(
        _ kind: LedgerKind, _ id: Int64, _ renderer: inout EntryRenderer,
        _ visit: (Location, inout EntryRenderer) throws -> Void
    ) throws {
        guard let run = try run(of: kind, id), let before = try position(of: id, in: run) else { return }
        let leaf = run.firstLeaf + before
        try forEach(run, leaf..<(leaf + 1), &renderer, { row, _ in throw RowError.unreadable(row) }, visit)
    }

    /// The same for many rows. The rows of a run are counted once, however many of them are asked for.
    func forRows(
        _ kind: LedgerKind, _ ids: [Int64], _ renderer: inout EntryRenderer,
        _ visit: (Int64, Location, inout EntryRenderer) throws -> Void
    ) throws {
        var last: RowPosition?
        for id in ids.sorted() {
            guard let place = try place(of: id, kind, after: last) else { continue }
            last = place
            try forEach(
                kind, id...id, count: 1, skipping: 0, at: UInt64(place.run.firstLeaf) + UInt64(place.position),
                &renderer, { row, _ in throw RowError.unreadable(row) }
            ) { location, rendered in try visit(id, location, &rendered) }
        }
    }

    /// The position of a row that has an entry.
    private struct RowPosition {
        let run: LedgerRun
        /// The first row of the next run of the kind; `nil` if there is none, or if the run has one row.
        let following: Int64?
        let id: Int64
        /// How many rows of the run come before the row.
        let position: Int64

        /// Whether a row behind this one is in the same run, if it is in any.
        func hasInRun(_ other: Int64) -> Bool {
            id < other && other <= run.lastID && (following.map { other < $0 } ?? true)
        }
    }

    /// - Parameter last: the position of a row before this one, if it is known: the rows between are counted.
    private func place(of id: Int64, _ kind: LedgerKind, after last: RowPosition?) throws -> RowPosition? {
        if let last, last.hasInRun(id) {
            return try position(of: id, in: last.run, countingFrom: last.id + 1, behind: last.position + 1).map {
                RowPosition(run: last.run, following: last.following, id: id, position: $0)
            }
        }
        guard let run = try run(of: kind, id),
            let position = try position(of: id, in: run, countingFrom: run.firstID, behind: 0)
        else { return nil }
        var following: Int64?
        if run.count > 1 {
            following =
                try db.statement("SELECT min(first_id) FROM ledger_runs WHERE kind = ? AND first_id > ?")
                .first(kind, run.firstID) { $0.optionalInteger(0) } ?? nil
        }
        return RowPosition(run: run, following: following, id: id, position: position)
    }

    /// The leaf of a row's entry; `nil` if the ledger has no entry for the row.
    func leaf(of row: LedgerRowName) throws -> UInt64? {
        let kind = LedgerKind(row.kind)
        guard let run = try run(of: kind, row.number), let before = try position(of: row.number, in: run) else {
            return nil
        }
        return UInt64(exactly: run.firstLeaf + before)
    }

    private func run(of kind: LedgerKind, _ id: Int64) throws -> LedgerRun? {
        let run = try db.statement(
            """
            SELECT \(LedgerRun.columns) FROM ledger_runs
            WHERE kind = ?1 AND first_id = (SELECT max(first_id) FROM ledger_runs WHERE kind = ?1 AND first_id <= ?2)
                AND organization = ?3
            """
        ).first(kind, id, organization) { try LedgerRun($0) }
        return run.flatMap { id <= $0.lastID ? $0 : nil }
    }

    private func runs(_ leaves: Range<Int64>) throws -> [LedgerRun] {
        try db.statement(
            """
            SELECT \(LedgerRun.columns) FROM ledger_runs
            WHERE organization = ?1 AND first_leaf < ?3 AND first_leaf >= (
                SELECT max(first_leaf) FROM ledger_runs WHERE organization = ?1 AND first_leaf <= ?2
            ) ORDER BY first_leaf
            """
        ).all(organization, leaves.lowerBound, leaves.upperBound) { try LedgerRun($0) }
    }

    /// How many rows of the run come before the one with `id`; `nil` if there is no such row.
    private func position(of id: Int64, in run: LedgerRun) throws -> Int64? {
        try position(of: id, in: run, countingFrom: run.firstID, behind: 0)
    }

    /// The same if `before` rows of the run come before the first one that is counted.
    private func position(
        of id: Int64, in run: LedgerRun, countingFrom first: Int64, behind before: Int64
    ) throws -> Int64? {
        let (table, column) =
            switch run.kind {
            case .decision: ("decisions", "id")
            case .consent: ("consents", "id")
            case .event: ("ledger_events", "number")
            case .access: ("accesses", "id")
            }
        let through = try db.statement(
            "SELECT count(*), max(\(column)) FROM \(table) WHERE \(column) BETWEEN ? AND ?"
        ).first(first, id) { (count: $0.integer(0), last: $0.optionalInteger(1)) }
        guard let through, through.last == id, before + through.count <= run.count else { return nil }
        return before + through.count - 1
    }

    private func forEach(
        _ run: LedgerRun, _ leaves: Range<Int64>, _ renderer: inout EntryRenderer,
        _ unreadable: (LedgerRowName, UInt64) throws -> Void, _ visit: (Location, inout EntryRenderer) throws -> Void
    ) throws {
        try forEach(
            run.kind, run.firstID...run.lastID, count: leaves.count, skipping: leaves.lowerBound - run.firstLeaf,
            at: UInt64(leaves.lowerBound), &renderer, unreadable, visit)
    }

    /// - Parameters:
    ///   - skipped: how many of the rows come before the first that is read.
    ///   - first: the leaf of that row.
    private func forEach(
        _ kind: LedgerKind, _ ids: ClosedRange<Int64>, count: Int, skipping skipped: Int64, at first: UInt64,
        _ renderer: inout EntryRenderer, _ unreadable: (LedgerRowName, UInt64) throws -> Void,
        _ visit: (Location, inout EntryRenderer) throws -> Void
    ) throws {
        var leaf = first
        let statement: SQLStatement
        switch kind {
        case .decision: statement = try db.statement(Self.decisions(db.dialect))
        case .consent: statement = try db.statement(Self.consents)
        case .event: statement = try db.statement(Self.events)
        case .access: statement = try db.statement(Self.accesses)
        }
        try statement.forEach(ids.lowerBound, ids.upperBound, count, skipped) { row in
            let rendered: (subject: LedgerItem.Subject, commitment: CommitmentSource?)
            do {
                rendered = try LedgerRow.render(row, kind, &renderer)
            } catch RowError.unreadable(let name) {
                try unreadable(name, leaf)
                leaf += 1
                return true
            }
            try visit(Location(leaf: leaf, subject: rendered.subject, commitment: rendered.commitment), &renderer)
            leaf += 1
            return true
        }
    }

    /// The columns for ``LedgerRow/render(_:_:_:)`` come first.
    private static func decisions(_ dialect: SQLDialect) -> String {
        """
        SELECT d.id, d.message, p.name, (SELECT identifier FROM recipients WHERE number = d.recipient), d.reason,
            d.enforcement, d.consent, d.salt,
            CASE WHEN d.salt IS NULL THEN \(LedgerKind.decision.keptCommitment(of: "d.id")) END,
            d.activity
        FROM decisions d \(dialect.joinRow(of: "messages", as: "m", where: "id", is: "d.message"))
            JOIN purposes p ON p.number = \(DecisionPurpose.number)
        WHERE d.id BETWEEN ? AND ? ORDER BY d.id LIMIT ? OFFSET ?
        """
    }

    private static let consents = """
        SELECT \(ConsentRecordRow.ownColumns), r.identifier, c.salt,
            CASE WHEN c.salt IS NULL THEN \(LedgerKind.consent.keptCommitment(of: "c.id")) END
        FROM consents c JOIN purposes p ON p.number = c.purpose LEFT JOIN recipients r ON r.number = c.recipient
        WHERE c.id BETWEEN ? AND ? ORDER BY c.id LIMIT ? OFFSET ?
        """

    private static let accesses = """
        SELECT \(AccessRow.columns), a.salt,
            CASE WHEN a.salt IS NULL THEN \(LedgerKind.access.keptCommitment(of: "a.id")) END
        FROM accesses a LEFT JOIN recipients r ON r.number = a.recipient
        WHERE a.id BETWEEN ? AND ? ORDER BY a.id LIMIT ? OFFSET ?
        """

    private static let events = """
        SELECT number, entry FROM ledger_events WHERE number BETWEEN ? AND ? ORDER BY number LIMIT ? OFFSET ?
        """
}

extension LedgerRows.Location {
    func item(_ rendered: inout EntryRenderer) -> LedgerItem {
        var opening: LedgerItem.Opening?
        if case .salt(let salt) = commitment, !rendered.fields.isEmpty {
            opening = LedgerItem.Opening(salt: salt, fields: rendered.fields)
        }
        return LedgerItem(leaf: leaf, subject: subject, entry: rendered.entry, opening: opening)
    }
}
