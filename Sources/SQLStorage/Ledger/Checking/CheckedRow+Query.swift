extension CheckedRow {
    /// The rows from one id through another, up to a limit. ``LedgerRow/render(_:_:_:)`` reads the first columns.
    static func query(_ kind: LedgerKind) -> String {
        let row = alias(kind)
        return """
            SELECT \(columns(kind)) FROM \(kind.table) \(row) \(joins(kind) { table, key, alias, value in
                "LEFT JOIN \(table) \(alias) ON \(alias).\(key) = \(value)"
            }) WHERE \(row).\(kind.idColumn) BETWEEN ? AND ? ORDER BY \(row).\(kind.idColumn) LIMIT ?
            """
    }

    /// The same rows of many runs, with the parameters of ``LedgerKind/rowsOfRuns(as:)``. The number of the run comes
    /// after the columns of ``query(_:)``.
    ///
    /// The offsets make the server look up what the rows name, where it might otherwise scan whole tables.
    static func queryOfRuns(_ kind: LedgerKind) -> String {
        let row = alias(kind)
        return """
            SELECT \(columns(kind)), q.number
            FROM \(kind.rowsOfRuns(as: row)) \(joins(kind) { table, key, alias, value in
                "LEFT JOIN LATERAL (SELECT * FROM \(table) WHERE \(key) = \(value) OFFSET 0) \(alias) ON true"
            }) ORDER BY q.number, \(row).\(kind.idColumn)
            """
    }

    /// The column of ``queryOfRuns(_:)`` with the number of the run.
    static func runColumn(_ kind: LedgerKind) -> Int32 {
        switch kind {
        case .decision: 16
        case .consent: 15
        case .access: 10
        case .event: 3
        }
    }

    private static func alias(_ kind: LedgerKind) -> String {
        switch kind {
        case .decision: "d"
        case .consent: "c"
        case .access: "a"
        case .event: "e"
        }
    }

    private static func columns(_ kind: LedgerKind) -> String {
        switch kind {
        case .decision: decisionColumns
        case .consent:
            """
            \(ConsentRecordRow.ownColumns), r.identifier, c.salt, \(LedgerKind.consent.keptCommitment(of: "c.id")),
                c.organization, r.organization, c.recipient, c.ends_tracking, c.state <> 1
            """
        case .access:
            """
            \(AccessRow.columns), a.salt, \(LedgerKind.access.keptCommitment(of: "a.id")),
                a.organization, r.organization, a.recipient
            """
        case .event: "e.number, e.entry, e.organization"
        }
    }

    private static let decisionColumns = """
        d.id, d.message, p.name, r.identifier, d.reason, d.enforcement, d.consent, d.salt,
            \(LedgerKind.decision.keptCommitment(of: "d.id")), d.activity,
            d.organization, m.organization, r.organization, d.recipient, d.volume,
            d.reason = 2 AND d.recipient IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM tracked_unasked t
                WHERE t.organization = d.organization AND t.recipient = d.recipient AND t.purpose = p.number
            )
        """

    /// - Parameter join: a join with the row of a table whose key has a value, or with nothing. The parameters are the
    ///   table, its key, its alias and the value.
    private static func joins(
        _ kind: LedgerKind, _ join: (_ table: String, _ key: String, _ alias: String, _ value: String) -> String
    ) -> String {
        let purpose = { (number: String) in "LEFT JOIN purposes p ON p.number = \(number)" }
        let recipient = join("recipients", "number", "r", "\(alias(kind)).recipient")
        return switch kind {
        case .decision: "\(join("messages", "id", "m", "d.message")) \(purpose(DecisionPurpose.number)) \(recipient)"
        case .consent: "\(purpose("c.purpose")) \(recipient)"
        case .access: recipient
        case .event: ""
        }
    }
}
