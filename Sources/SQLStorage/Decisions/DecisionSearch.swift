import Consent
import Cryptography
import Identifiers
import Ledger
import SQL

/// Finds the ids of the decisions that fit a query, in order.
///
/// Each kind of query has an index that ends in the id, so no search reads more than it needs: for a recipient, all of
/// their decisions; for a message or an organization, at most `limit` for each reason that fits.
struct DecisionSearch {
    private let query: DecisionQuery
    private let organization: Int64
    private let limit: Int
    private let reasons: [DecisionReason]
    private let range: IDRange

    init(_ query: DecisionQuery, organization: Int64, limit: Int) {
        self.query = query
        self.organization = organization
        self.limit = limit
        reasons = DecisionReason.allCases.filter { reason in
            query.reason.map { $0 == reason } ?? true && query.outcome.map { $0 == reason.outcome } ?? true
        }
        // The id of a decision carries the time when the decision was made.
        range = IDRange(after: query.after, from: query.from, to: query.to)
    }

    /// - Parameter person: the hash of the query's recipient.
    func ids(person: HMACSHA256.Tag?, _ db: any SQLConnection) throws -> [Int64] {
        if query.recipient != nil {
            guard let person, let recipient = try RecipientLookup(db)(person)?.recipient else { return [] }
            return try idsAbout(recipient, db)
        }
        if let message = query.message {
            guard try MessageOwner.find(message, db)?.organization == organization else { return [] }
            return try ids(in: "decisions_by_message", where: "message", Int64(message.rawValue), db)
        }
        return try ids(in: "decisions_by_organization", where: "organization", organization, db)
    }

    /// Checks the range for decisions with an unknown reason, which every list would otherwise leave out.
    /// - Throws: ``RowError/unreadable(_:)``
    private func requireReasons(in index: String, where column: String, _ value: Int64, _ db: any SQLConnection) throws
    {
        let codes = DecisionReason.allCases.map(\.code)
        guard let first = codes.min(), let last = codes.max() else { return }
        for comparison in ["reason < \(first)", "reason > \(last)"] {
            let other = try db.statement(
                """
                SELECT id FROM decisions INDEXED BY \(index)
                WHERE \(column) = ? AND \(comparison) AND id >= ? AND id < ? LIMIT 1
                """
            ).first(value, range.lower, range.upper) { $0.integer(0) }
            if let other { throw RowError.unreadable(LedgerRowName(.decision, other)) }
        }
    }

    private func ids(in index: String, where column: String, _ value: Int64, _ db: any SQLConnection) throws -> [Int64]
    {
        try requireReasons(in: index, where: column, value, db)
        let first = db.dialect.first(column)
        let statement = try db.statement(
            """
            SELECT id FROM decisions INDEXED BY \(index)
            WHERE \(first.condition) AND reason = ? AND id >= ? AND id < ? ORDER BY \(first.order)id LIMIT ?
            """
        )
        let found = try reasons.flatMap { reason in
            try statement.all(value, reason.code, range.lower, range.upper, limit) { $0.integer(0) }
        }
        return Array(found.sorted().prefix(limit))
    }

    private func idsAbout(_ recipient: Int64, _ db: any SQLConnection) throws -> [Int64] {
        guard limit > 0 else { return [] }
        var found: [Int64] = []
        let codes = Set(reasons.map { Int64($0.code) })
        let message = query.message.map { Int64($0.rawValue) }
        let statement = try db.statement(
            """
            SELECT id, message, reason FROM decisions INDEXED BY decisions_by_recipient
            WHERE volume = ? AND recipient = ? AND id >= ? AND id < ? ORDER BY id
            """
        )
        for volume in try LogVolumes.all(of: .decisions, db) where found.count < limit {
            try statement.forEach(volume, recipient, range.lower, range.upper) { row in
                _ = try row.readable(.decision, id: 0) { try DecisionReason(code: row.integer(2)) }
                if message.map({ $0 == row.integer(1) }) ?? true, codes.contains(row.integer(2)) {
                    found.append(row.integer(0))
                }
                return found.count < limit
            }
        }
        return found
    }
}
