import Cryptography
import GRDB
import Identifiers
import Interactions
import SQLiteFiles

/// Finds the ids of the interactions that fit a query, in order: about one person in all of theirs, else in an index of
/// the message or the organization for each kind that fits.
struct InteractionSearch {
    /// Filters that pass over rows of whichever index is walked.
    private static let fits = """
        occurred_at >= ? AND occurred_at < ? AND link BETWEEN ? AND ? AND is_automated BETWEEN ? AND ?
            AND is_first BETWEEN ? AND ?
        """

    private let query: InteractionQuery
    private let organization: Int64
    private let limit: Int
    private let kinds: [InteractionKind]
    /// A condition of rows that an index does not know: a walk passes over the others.
    private let visitors: String
    private let from: Timestamp
    private let to: Timestamp
    private let links: ClosedRange<Int64>
    private let automated: ClosedRange<Int64>
    private let firsts: ClosedRange<Int64>

    init(_ query: InteractionQuery, organization: Int64, limit: Int) {
        self.query = query
        self.organization = organization
        self.limit = limit
        kinds = query.kind.map { [$0] } ?? InteractionKind.allCases
        visitors =
            query.visitor.map { asked in
                let codes = Visitor.allCases.filter { $0.class == asked }.map { "\($0.rawValue)" }
                return " AND visitor IN (\(codes.joined(separator: ", ")))"
            } ?? ""
        from = query.from ?? .distantPast
        to = query.to ?? .distantFuture
        links = query.link.map { Int64($0.rawValue)...Int64($0.rawValue) } ?? Self.everything
        automated = Self.range(query.automated)
        firsts = Self.range(query.isFirst)
    }

    private static var everything: ClosedRange<Int64> { Int64.min...Int64.max }

    private static func range(_ wanted: Bool?) -> ClosedRange<Int64> {
        switch wanted {
        case nil: everything
        case false?: 0...0
        case true?: 1...1
        }
    }

    /// - Parameter person: the hash of the query's recipient.
    func ids(person: HMACSHA256.Tag?, _ db: Database) throws -> [Int64] {
        let after = try query.after.map { try InteractionRow.position(of: $0, in: organization, db) }
        // An interaction gets its position after it has happened, so what happened later has a greater position. The
        // hour allows for clocks that are set back in between.
        let range = IDRange(after: after, from: query.from?.advanced(byMilliseconds: -3_600_000))
        if query.recipient != nil {
            guard let person, let recipient = try RecipientLookup(db)(person)?.recipient else { return [] }
            return try idsOf(recipient, range, db)
        }
        if let message = query.message {
            guard try MessageOwner.find(message, db)?.organization == organization else { return [] }
            return try ids(in: "interactions_by_message", where: "message", Int64(message.rawValue), range, db)
        }
        return try ids(in: "interactions_by_organization", where: "organization", organization, range, db)
    }

    private func ids(in index: String, where column: String, _ value: Int64, _ range: IDRange, _ db: Database) throws
        -> [Int64]
    {
        let statement = try db.statement(
            """
            SELECT id, position FROM interactions INDEXED BY \(index)
            WHERE \(column) = ? AND kind = ? AND position >= ? AND \(Self.fits)\(visitors) ORDER BY position LIMIT ?
            """
        )
        let found = try kinds.flatMap { kind in
            try statement.all(
                value, kind.code, range.lower, from, to, links.lowerBound, links.upperBound, automated.lowerBound,
                automated.upperBound, firsts.lowerBound, firsts.upperBound, limit
            ) {
                (id: $0.integer(0), position: $0.integer(1))
            }
        }
        return found.sorted { $0.position < $1.position }.prefix(limit).map(\.id)
    }

    private func idsOf(_ recipient: Int64, _ range: IDRange, _ db: Database) throws -> [Int64] {
        guard limit > 0 else { return [] }
        var found: [Int64] = []
        let codes = Set(kinds.map { Int64($0.code) })
        let message = query.message.map { Int64($0.rawValue) }
        let statement = try db.statement(
            """
            SELECT id, message, kind FROM interactions INDEXED BY interactions_by_recipient
            WHERE volume = ? AND recipient = ? AND position >= ? AND \(Self.fits)\(visitors) ORDER BY position
            """
        )
        for volume in try LogVolumes.all(of: .interactions, db) where found.count < limit {
            try statement.forEach(
                volume, recipient, range.lower, from, to, links.lowerBound, links.upperBound, automated.lowerBound,
                automated.upperBound, firsts.lowerBound, firsts.upperBound
            ) { row in
                if message.map({ $0 == row.integer(1) }) ?? true, codes.contains(row.integer(2)) {
                    found.append(row.integer(0))
                }
                return found.count < limit
            }
        }
        return found
    }
}
