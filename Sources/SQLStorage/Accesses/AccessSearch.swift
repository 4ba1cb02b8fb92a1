import Consent
import Cryptography
import Identifiers
import SQL

/// Finds the accesses that fit a query, newest first. Each kind of query has an index that ends in the id.
struct AccessSearch {
    private let query: AccessQuery
    private let limit: Int
    private let lower: Int64
    /// Exclusive.
    private let upper: Int64

    init(_ query: AccessQuery, limit: Int) {
        self.query = query
        self.limit = limit
        // The id of an access carries the time when the access was recorded.
        lower = query.from.map { Int64(TimeOrderedNumber.lowerBound(at: $0)) } ?? 0
        let end = query.to.map { Int64(TimeOrderedNumber.lowerBound(at: $0)) } ?? .max
        upper = min(end, query.before.map { Int64($0.rawValue) } ?? .max)
    }

    /// - Parameter person: the hash of the query's recipient.
    func entries(
        person: HMACSHA256.Tag?, organization: Int64, _ db: any SQLConnection
    ) throws -> [AccessEntry] {
        guard query.recipient != nil else {
            return try entries(
                in: query.who == nil ? "accesses_by_organization" : "accesses_by_who", where: "a.organization",
                organization, db)
        }
        guard let person, let recipient = try RecipientLookup(db)(person)?.recipient else { return [] }
        return try entries(in: "accesses_by_recipient", where: "a.recipient", recipient, db)
    }

    private func entries(
        in index: String, where column: String, _ value: Int64, _ db: any SQLConnection
    ) throws -> [AccessEntry] {
        let first = db.dialect.first(column)
        let order = first.order.isEmpty ? "" : "\(column) DESC, "
        let select = """
            SELECT \(AccessRow.columns)
            FROM accesses a INDEXED BY \(index) LEFT JOIN recipients r ON r.number = a.recipient
            WHERE \(first.condition) AND \(query.who == nil ? "" : "a.who = ? AND ")a.id >= ? AND a.id < ?
            ORDER BY \(order)a.id DESC LIMIT ?
            """
        guard let who = query.who else {
            return try db.statement(select).all(value, lower, upper, limit, read: AccessRow.entry)
        }
        return try db.statement(select).all(value, who.description, lower, upper, limit, read: AccessRow.entry)
    }
}
