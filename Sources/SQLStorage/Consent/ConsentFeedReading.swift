import Consent
import Identifiers
import Ledger
import SQL

/// Reads the consent feed of one organization in a snapshot.
///
/// The ledger gives the order: an entry is written in the transaction of its record or erasure, and only one
/// transaction writes at a time. So an item's position is the index of its entry, and nothing else is stored for the
/// feed. Records that are older than the ledger come first, by their ids.
struct ConsentFeedReading {
    /// How many runs are read at once to find a wanted item.
    private static let runsPassedAtOnce = 512
    /// How many runs, and rows of events, are passed over in one search for a wanted item.
    private static let effortAtOnce = 2048

    private let organization: Int64
    private let db: any SQLConnection

    /// The items that were found, and how long their evidence is.
    private struct Found {
        let limit: Int
        var items: [ConsentFeedItem] = []
        var evidence = 0

        var isFull: Bool { items.count >= limit || evidence >= ConsentEvidence.lengthAtOnce }

        mutating func add(_ item: ConsentFeedItem) {
            items.append(item)
            evidence += item.evidenceLength
        }
    }

    init(organization: Int64, _ db: any SQLConnection) {
        self.organization = organization
        self.db = db
    }

    /// The position behind the last item; `nil` if the feed is empty.
    func end() throws -> ConsentFeedPosition? {
        let size = try LedgerTree.size(of: organization, db)
        return size == 0 ? nil : .entry(size - 1, mark: nil)
    }

    /// - Returns: `nil` for a position that is not in the feed.
    func items(after position: ConsentFeedPosition?, limit: Int) throws -> [ConsentFeedItem]? {
        guard let start = try start(after: position) else { return nil }
        var found = Found(limit: limit)
        try addRecordsBeforeLedger(after: start, to: &found)
        try addEntries(from: start.leaf, to: &found)
        return found.items
    }

    /// What stands behind a position for a reader that wants only some items.
    struct Ahead {
        /// The first item that is wanted; `nil` if none was found so far.
        var item: ConsentFeedItem?
        /// No item up to here is wanted. If ``item`` is `nil` there may be more behind it.
        var passed: ConsentFeedPosition?
    }

    /// Finds the first record or erasure behind a position, whichever is wanted.
    ///
    /// Runs of the other kind are passed over as a whole: all writes wait for this, and an import leaves millions of
    /// records. The place behind such a run of events has no mark.
    /// - Returns: `nil` for a position that is not in the feed.
    func next(after position: ConsentFeedPosition?, records: Bool, erasures: Bool) throws -> Ahead? {
        guard let start = try start(after: position) else { return nil }
        var found = Found(limit: 1)
        if records { try addRecordsBeforeLedger(after: start, to: &found) }
        if let item = found.items.first { return Ahead(item: item, passed: position) }
        var (passed, next, effort) = (position, start.leaf, 0)
        while true {
            let runs = try runs(from: next, limit: Self.runsPassedAtOnce)
            guard let last = runs.last else { return Ahead(item: nil, passed: passed) }
            for run in runs {
                effort += 1
                let isWanted = run.kind == .consent ? records : erasures
                if isWanted {
                    try addItems(of: run, from: start.leaf, to: &found)
                    if let item = found.items.first { return Ahead(item: item, passed: passed) }
                    effort += Int(run.count)
                }
                if !isWanted { passed = run.lastPosition }
                guard effort < Self.effortAtOnce else { return Ahead(item: nil, passed: run.lastPosition) }
            }
            next = last.leaves.upperBound
        }
    }

    /// Where the items behind a position begin.
    private struct Start {
        /// The id of the last record before the ledger that is passed; `nil` if all are.
        var record: Int64?
        var leaf: Int64 = 0
    }

    /// - Returns: `nil` for a position that is not in the feed.
    private func start(after position: ConsentFeedPosition?) throws -> Start? {
        switch position {
        case nil: return Start(record: 0)
        case .record(let id): return Start(record: Int64(id.rawValue))
        case .entry(let index, let mark?):
            var itself = Found(limit: 1)
            try addEntries(from: Int64(index), to: &itself)
            guard itself.items.first?.position == .entry(index, mark: mark) else { return nil }
            return Start(leaf: Int64(index) + 1)
        case .entry(let index, nil):
            guard index < (try LedgerTree.size(of: organization, db)) else { return nil }
            return Start(leaf: Int64(index) + 1)
        }
    }

    private func addRecordsBeforeLedger(after start: Start, to found: inout Found) throws {
        guard let id = start.record else { return }
        let last =
            try db.statement("SELECT last_id FROM ledger_beginnings WHERE kind = ?")
            .first(LedgerKind.consent) { $0.integer(0) } ?? 0
        guard id < last, !found.isFull else { return }
        try db.longStatement(
            """
            SELECT \(Self.recordColumns) WHERE c.id > ? AND c.id <= ? AND c.organization = ? ORDER BY c.id LIMIT ?
            """
        ).forEach(id, last, organization, found.limit) { row in
            let content = try recorded(row)
            guard case .recorded(let record, _) = content else { throw StorageError.unreadable }
            found.add(ConsentFeedItem(position: .record(record.id), content: content))
            return !found.isFull
        }
    }

    private func addEntries(from first: Int64, to found: inout Found) throws {
        var next = first
        while !found.isFull {
            var runs = try runs(from: next, limit: 64)[...]
            guard let last = runs.last else { break }
            while !found.isFull, !runs.isEmpty {
                let some = readAtOnce(runs, limit: found.limit - found.items.count)
                runs = runs.dropFirst(some.count)
                try addItems(of: some, from: first, to: &found)
            }
            next = last.leaves.upperBound
        }
    }

    /// The first of `runs`, with those behind it that are read with the same statement. Between decisions most runs
    /// have one or two records, and a server answers each statement apart.
    private func readAtOnce(_ runs: ArraySlice<LedgerRun>, limit: Int) -> ArraySlice<LedgerRun> {
        guard db.dialect.hasLists else { return runs.prefix(1) }
        var rows: Int64 = 0
        return runs.prefix { run in
            defer { rows += run.count }
            let mayFollow = run.kind == runs.first?.kind && rows < limit
            return rows == 0 || mayFollow && rows + run.count <= LedgerKind.rowsOfRunsAtOnce
        }
    }

    /// Some runs of consent records and events, from the one that has entry `leaf`, or the next one. The index skips
    /// runs of decisions and of accesses, of which there may be very many.
    /// - Parameter limit: is part of the text of the statement, so that an engine knows it when it plans.
    private func runs(from leaf: Int64, limit: Int) throws -> [LedgerRun] {
        let runs = "ledger_runs INDEXED BY ledger_runs_of_changes"
        let isInFeed = LedgerKind.isInConsentFeed("kind")
        return try db.statement(
            """
            SELECT \(LedgerRun.columns) FROM \(runs)
            WHERE organization = ?1 AND \(isInFeed) AND first_leaf >= coalesce((
                SELECT max(first_leaf) FROM \(runs)
                WHERE organization = ?1 AND \(isInFeed) AND first_leaf <= ?2
            ), 0) AND first_leaf + count > ?2 ORDER BY first_leaf LIMIT \(limit)
            """
        ).all(organization, leaf) { try LedgerRun($0) }
    }

    private func addItems(of runs: ArraySlice<LedgerRun>, from first: Int64, to found: inout Found) throws {
        guard let head = runs.first else { return }
        guard runs.count > 1 else { return try addItems(of: head, from: first, to: &found) }
        let runs = Array(runs)
        let skipped = runs.map { max(0, first - $0.firstLeaf) }
        var (current, leaf) = (0, head.firstLeaf + skipped[0])
        let (sql, number) = head.kind == .consent ? (Self.recordsOfRuns, Int32(8)) : (Self.eventsOfRuns, 2)
        try db.statement(sql).forEach(
            IntegerList(runs.map(\.firstID)), IntegerList(runs.map(\.lastID)),
            IntegerList(zip(runs, skipped).map { run, skipped in run.count - skipped }), IntegerList(skipped)
        ) { row in
            let place = Int(row.integer(number)) - 1
            if place != current { (current, leaf) = (place, runs[place].firstLeaf + skipped[place]) }
            try add(row, head.kind, at: leaf, to: &found)
            leaf += 1
            return !found.isFull
        }
    }

    private func addItems(of run: LedgerRun, from first: Int64, to found: inout Found) throws {
        let skipped = max(0, first - run.firstLeaf)
        var leaf = run.firstLeaf + skipped
        try db.longStatement(run.kind == .consent ? Self.records : Self.events)
            .forEach(run.firstID, run.lastID, run.count - skipped, skipped) { row in
                try add(row, run.kind, at: leaf, to: &found)
                leaf += 1
                return !found.isFull
            }
    }

    private func add(_ row: SQLRow, _ kind: LedgerKind, at leaf: Int64, to found: inout Found) throws {
        guard let content = kind == .consent ? try recorded(row) : try erased(row) else { return }
        let position = ConsentFeedPosition.entry(UInt64(leaf), mark: content.mark)
        found.add(ConsentFeedItem(position: position, content: content))
    }

    private func recorded(_ row: SQLRow) throws -> ConsentFeedItem.Content {
        let record = try ConsentRecordRow.record(row)
        return .recorded(record, recipient: try row.readable(.consent, id: 0) { try row.recipient(7) })
    }

    /// - Returns: `nil` for an event other than an erasure.
    private func erased(_ row: SQLRow) throws -> ConsentFeedItem.Content? {
        try row.readable(.event, id: 0) {
            guard let event = StoredEvent(row.bytes(1)), event.type != nil else { throw StorageError.unreadable }
            guard event.isErasure else { return nil }
            guard let instant = event.instant, let erasure = event.erasure else { throw StorageError.unreadable }
            return .erased(at: instant, erasure)
        }
    }

    private static let recordColumns = """
        \(ConsentRecordRow.ownColumns), r.identifier
        FROM consents c JOIN purposes p ON p.number = c.purpose LEFT JOIN recipients r ON r.number = c.recipient
        """

    private static let records = """
        SELECT \(recordColumns) WHERE c.id BETWEEN ? AND ? ORDER BY c.id LIMIT ? OFFSET ?
        """

    private static let events = """
        SELECT number, entry FROM ledger_events WHERE number BETWEEN ? AND ? ORDER BY number LIMIT ? OFFSET ?
        """

    /// The rows of many runs, each with the number of its run. The inner query makes the server look up each recipient,
    /// where it might otherwise scan the whole table.
    private static let recordsOfRuns = """
        SELECT \(ConsentRecordRow.ownColumns), (SELECT identifier FROM recipients WHERE number = c.recipient), q.number
        FROM \(LedgerKind.consent.rowsOfRuns(as: "c"))
            JOIN purposes p ON p.number = c.purpose ORDER BY q.number, c.id
        """

    private static let eventsOfRuns = """
        SELECT e.number, e.entry, q.number
        FROM \(LedgerKind.event.rowsOfRuns(as: "e")) ORDER BY q.number, e.number
        """
}

extension LedgerRun {
    /// The place in the feed behind the last entry of a run of records or events.
    fileprivate var lastPosition: ConsentFeedPosition {
        .entry(UInt64(leaves.upperBound - 1), mark: kind == .consent ? UInt64(bitPattern: lastID) : nil)
    }
}
