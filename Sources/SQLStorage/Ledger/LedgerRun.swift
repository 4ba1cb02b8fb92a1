import Ledger
import SQL

/// What the entries of a run are about. The meaning of a number never changes.
enum LedgerKind: UInt8 {
    case decision = 1
    case consent = 2
    case event = 3
    case access = 4

    init(code: Int64) throws(StorageError) {
        guard let code = UInt8(exactly: code), let kind = LedgerKind(rawValue: code) else { throw .unreadable }
        self = kind
    }

    /// Whether the feed of consents has such entries.
    var isInConsentFeed: Bool { self != .decision && self != .access }

    /// ``isInConsentFeed`` as an SQL condition: that of the index `ledger_runs_of_changes`, which SQLite uses only for
    /// a query that has both of its terms.
    /// - Parameter column: the column with the kind, as an SQL expression.
    static func isInConsentFeed(_ column: String) -> String {
        "\(column) <> \(LedgerKind.decision.rawValue) AND \(column) <> \(LedgerKind.access.rawValue)"
    }

    /// The table that has the rows of such entries.
    var table: String {
        switch self {
        case .decision: "decisions"
        case .consent: "consents"
        case .event: "ledger_events"
        case .access: "accesses"
        }
    }

    /// The column of ``table`` by which a row is found.
    var idColumn: String { self == .event ? "number" : "id" }

    /// The kept commitment of a row whose commitment can no longer be computed, as an SQL expression.
    /// - Parameter id: an SQL expression.
    func keptCommitment(of id: String) -> String {
        "(SELECT commitment FROM kept_commitments WHERE kind = \(rawValue) AND id = \(id))"
    }
}

/// Entries of one kind that are adjacent in a ledger and in their table.
struct LedgerRun: Equatable {
    /// A row is found by counting from the first, so a run is not longer than this.
    static let limit: Int64 = 1024
    /// No run begins behind this leaf, so that every sum of leaves is a number.
    static let lastLeaf = Int64.max - limit

    let firstLeaf: Int64
    var count: Int64
    let kind: LedgerKind
    let firstID: Int64
    var lastID: Int64

    var leaves: Range<Int64> { firstLeaf..<(firstLeaf + count) }

    var entries: ClosedRange<UInt64> { UInt64(firstLeaf)...UInt64(firstLeaf + count - 1) }

    static let columns = "first_leaf, count, kind, first_id, last_id"

    init(firstLeaf: Int64, count: Int64, kind: LedgerKind, firstID: Int64, lastID: Int64) {
        self.firstLeaf = firstLeaf
        self.count = count
        self.kind = kind
        self.firstID = firstID
        self.lastID = lastID
    }

    /// Reads ``columns``.
    init(_ row: SQLRow) throws(StorageError) {
        firstLeaf = row.integer(0)
        count = row.integer(1)
        kind = try LedgerKind(code: row.integer(2))
        firstID = row.integer(3)
        lastID = row.integer(4)
        guard (0...Self.lastLeaf).contains(firstLeaf), (1...Self.limit).contains(count), firstID <= lastID else {
            throw .unreadable
        }
    }
}

extension LedgerKind: SQLBindable {
    static var sqlType: SQLType { .integer }

    func bind(to statement: any PreparedStatement, at place: Int32) throws {
        try rawValue.bind(to: statement, at: place)
    }
}

extension Salt: SQLBindable {
    static var sqlType: SQLType { .bytes }

    func bind(to statement: any PreparedStatement, at place: Int32) throws {
        try bytes.bind(to: statement, at: place)
    }
}

extension Commitment: SQLBindable {
    static var sqlType: SQLType { .bytes }

    func bind(to statement: any PreparedStatement, at place: Int32) throws { try bytes.bind(to: statement, at: place) }
}

extension SQLRow {
    /// The source of the commitment, from two columns: the salt, and the commitment that is kept after the salt is
    /// removed.
    func commitment(salt: Int32, kept: Int32) -> CommitmentSource {
        if let salt = Salt(bytes(salt).span) { return .salt(salt) }
        if let commitment = Commitment(bytes(kept).span) { return .kept(commitment) }
        return .missing
    }
}
