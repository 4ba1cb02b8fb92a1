import JSON
import SQL

/// How many rows the entries about erasures and retention account for.
enum EnteredCount {
    /// - Parameter member: of an entry: `consents`, `decisions` or `accesses`.
    /// - Returns: the sum over the entries that have the member. One that was changed and has no number there counts as 0.
    static func sum(of member: String, in organization: Int64, _ db: any SQLConnection) throws -> Int64 {
        try db.statement(
            """
            SELECT entry FROM ledger_events
            WHERE organization = ? AND \(db.dialect.bytes("entry", contain: "\"\(member)\":"))
            """
        ).all(organization) { row -> Int64 in
            guard case .object(let members)? = try? JSONValue.parse(row.bytes(0)),
                case .number(let count)? = members[member]
            else { return 0 }
            return Int64(count.text) ?? 0
        }.reduce(0, &+)
    }
}
