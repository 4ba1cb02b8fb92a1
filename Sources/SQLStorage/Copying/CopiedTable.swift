import SQL

/// A table that is copied from one engine to another. Both engines have it, with the same columns.
struct CopiedTable {
    struct Column: Hashable {
        let name: String
        let type: SQLType
    }

    let name: String
    let columns: [Column]
    /// The indexes of the columns of its primary key, in their order; empty for a table with at most one row.
    let key: [Int]

    /// All copied tables, each after those that it refers to.
    static let names = [
        "purposes", "organizations", "enforcements", "access_keys", "recipients", "people", "erasure_key", "accesses",
        "messages",
        "message_names", "message_tags", "added_links", "consent_notices", "consents", "consent_counts",
        "evidence_words", "evidence_word_people", "tracked_unasked",
        "consent_requests", "consent_request_purposes", "decisions", "decision_counts", "decision_days",
        "people_counts",
        "message_people", "opens_people_counts", "message_opens_people", "interactions", "first_interactions",
        "activity_counts", "message_responders", "deleted_interactions", "ledgers", "ledger_runs", "ledger_events",
        "ledger_tiles", "ledger_last_hashes", "kept_commitments", "ledger_beginnings", "erased_before_ledger",
        "requests", "purge_clock", "clock_faults", "endpoints", "endpoint_events", "endpoint_attempts",
    ]

    /// Tables of the embedded engine that are about its file or about the state of its own tasks, and the sessions of
    /// the console: after a move, users must sign in again. Nodes note in their own file what their clock did.
    static let leftOut = [
        "file_identity", "folder", "report_filling", "consent_filling", "evidence_word_filling",
        "ledger_check", "clock_note", "sessions", "sign_in_links",
    ]

    private static let personal: Set = [
        "recipients.identifier", "consents.evidence", "consent_notices.content", "evidence_words.content",
        "accesses.reason",
    ]

    /// - Parameter catalog: must be of the embedded engine, which has the types with which values are bound.
    init(_ name: String, catalog: any SQLConnection) throws {
        var columns: [Column] = []
        var key: [(place: Int, order: Int64)] = []
        try catalog.statement("SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid").forEach(name) { row in
            if row.integer(2) > 0 { key.append((columns.count, row.integer(2))) }
            columns.append(Column(name: row.text(0), type: try Self.type(of: "\(name).\(row.text(0))", row.text(1))))
            return true
        }
        guard !columns.isEmpty else { throw StorageError.unreadable }
        self.name = name
        self.columns = columns
        self.key = key.sorted { $0.order < $1.order }.map(\.place)
    }

    private static func type(of column: String, _ declared: String) throws -> SQLType {
        switch declared {
        case _ where personal.contains(column): .personal
        case "INTEGER": .integer
        case "TEXT": .text
        case "BLOB": .bytes
        default: throw StorageError.unreadable
        }
    }

    /// How many rows are copied at once. Some tables have long rows.
    var rowsAtOnce: Int {
        switch name {
        case "messages": 16
        case "message_people", "message_opens_people", "message_responders", "ledger_tiles": 512
        default: 16_384
        }
    }

    /// Whether the engine numbers its rows.
    var isNumbered: Bool { key.map { columns[$0].name } == ["number"] }

    /// The index of the column with the volume of a row of a log; each engine has volumes of its own.
    var volume: Int? { columns.firstIndex { $0.name == "volume" } }

    private var list: String { columns.map(\.name).joined(separator: ", ") }
    private var keyList: String { key.map { columns[$0].name }.joined(separator: ", ") }

    /// Reads rows behind a key, in the order of the keys.
    func selection(isFirst: Bool) -> String {
        guard !key.isEmpty else { return "SELECT \(list) FROM \(name)" }
        let places = key.map { _ in "?" }.joined(separator: ", ")
        let condition = isFirst ? "" : "WHERE (\(keyList)) > (\(places))"
        return "SELECT \(list) FROM \(name) \(condition) ORDER BY \(keyList) LIMIT \(rowsAtOnce)"
    }

    var insertion: String {
        "INSERT INTO \(name) (\(list)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
    }

    /// Reads the greatest key.
    var lastKey: String {
        let order = key.map { "\(columns[$0].name) DESC" }.joined(separator: ", ")
        return "SELECT \(keyList) FROM \(name) ORDER BY \(order) LIMIT 1"
    }
}
