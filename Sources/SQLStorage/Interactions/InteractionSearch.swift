import Cryptography
import Identifiers
import Interactions
import SQL

/// Finds the ids of the interactions that fit a query, in order. A query about a recipient reads the recipient's
/// interactions, all or those with a message; any other query reads an index of the message or the organization for
/// each kind that fits.
///
/// There may be any number of rows that do not fit and are passed over. So one read passes over a bounded number of
/// rows and returns where the next read continues: it does not hold a snapshot or a thread for longer.
struct InteractionSearch {
    /// The greatest number of rows that one call reads, including those that fit.
    static let rowsAtOnce = 20_000

    struct Reading {
        /// In the order of their positions; at most `limit`.
        let ids: [Int64]
        /// The position at which the next read must continue; `nil` at the end, or if `limit` were found.
        let next: Int64?
        /// How many rows were read.
        var passed = 0
        /// The greatest position that was read. At the end, nothing fits up to there besides what was found.
        var last: Int64?
    }

    /// Whether a row fits; evaluated for each row of the index that is read. A row without one of these values fits, so
    /// that it is read, and named if it cannot be read without the value.
    private var fits: String {
        """
        (occurred_at >= ? AND occurred_at < ? AND link BETWEEN ? AND ? AND is_automated BETWEEN ? AND ?
            AND is_first BETWEEN ? AND ?\(visitors)) IS NOT FALSE
        """
    }

    private let query: InteractionQuery
    private let organization: Int64
    private let limit: Int
    private let rowsAtOnce: Int
    private let kinds: [InteractionKind]
    /// A condition on columns that the index does not have.
    private let visitors: String
    private let from: Timestamp
    private let to: Timestamp
    private let links: ClosedRange<Int64>
    private let automated: ClosedRange<Int64>
    private let firsts: ClosedRange<Int64>

    /// - Parameter rowsAtOnce: at least the number of kinds of interactions.
    init(_ query: InteractionQuery, organization: Int64, limit: Int, rowsAtOnce: Int = rowsAtOnce) {
        self.query = query
        self.organization = organization
        self.limit = limit
        self.rowsAtOnce = rowsAtOnce
        kinds = InteractionKind.allCases.filter { kind in
            kind == query.kind ?? kind && kind.activity == query.activity ?? kind.activity
        }
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

    /// Reads some rows.
    /// - Parameters:
    ///   - person: the hash of the query's recipient.
    ///   - start: ``Reading/next`` of the read before; `nil` for the first.
    func read(person: HMACSHA256.Tag?, from start: Int64? = nil, _ db: any SQLConnection) throws -> Reading {
        let nothing = Reading(ids: [], next: nil)
        guard limit > 0 else { return nothing }
        let lower = try start ?? lowestPosition(db)
        if query.recipient != nil {
            guard let person, let recipient = try RecipientLookup(db)(person)?.recipient else { return nothing }
            return db.dialect.keepsVolumes
                ? try readVolumes(of: recipient, from: lower, db) : try readMessages(of: recipient, from: lower, db)
        }
        if let message = query.message {
            guard try MessageOwner.find(message, db)?.organization == organization else { return nothing }
            return try read("interactions_by_message", where: "message", Int64(message.rawValue), from: lower, db)
        }
        return try read("interactions_by_organization", where: "organization", organization, from: lower, db)
    }

    /// No interaction before this position fits.
    private func lowestPosition(_ db: any SQLConnection) throws -> Int64 {
        let after = try query.after.map { try InteractionRow.position(of: $0, in: organization, db) }
        // An interaction gets its position after it has happened, so what happened later has a greater position. The
        // hour allows for clocks that are set back in between.
        return IDRange(after: after, from: query.from?.advanced(by: .hours(-1))).lower
    }

    private func read(
        _ index: String, where column: String, _ value: Int64, from lower: Int64, _ db: any SQLConnection
    ) throws -> Reading {
        let first = db.dialect.first(column)
        let statement = try db.longStatement(
            """
            SELECT \(fits), id, position FROM interactions INDEXED BY \(index)
            WHERE \(first.condition) AND kind = ? AND position >= ? ORDER BY \(first.order)position
            """
        )
        var found: [(id: Int64, position: Int64)] = []
        var end: Int64?
        var (all, last) = (0, Int64?.none)
        for kind in kinds {
            var (passed, fitting) = (0, 0)
            defer { all += passed }
            try statement.forEach(
                from, to, links.lowerBound, links.upperBound, automated.lowerBound, automated.upperBound,
                firsts.lowerBound, firsts.upperBound, value, kind.code, lower
            ) { row in
                let position = row.integer(2)
                guard passed < rowsAtOnce / kinds.count else {
                    end = min(end ?? position, position)
                    return false
                }
                passed += 1
                last = max(last ?? position, position)
                guard row.bool(0) else { return true }
                fitting += 1
                found.append((row.integer(1), position))
                return fitting < limit
            }
        }
        // Behind `end`, the results are incomplete: the kind that ended there may have more rows.
        let known = found.filter { $0.position < end ?? .max }.sorted { $0.position < $1.position }
        return Reading(
            ids: known.prefix(limit).map(\.id), next: known.count < limit ? end : nil, passed: all, last: last)
    }

    private func readVolumes(of recipient: Int64, from lower: Int64, _ db: any SQLConnection) throws -> Reading {
        let statement = try db.longStatement(
            """
            SELECT \(fits), id, position, message, kind
            FROM interactions INDEXED BY interactions_by_recipient
            WHERE volume = ? AND recipient = ? AND position >= ? ORDER BY position
            """
        )
        let codes = Set(kinds.map { Int64($0.code) })
        let message = query.message.map { Int64($0.rawValue) }
        let volumes = try LogVolumes.all(of: .interactions, db)
        // One list for all volumes. The volumes of a storage that was copied from one without volumes are in the order
        // of ids, so their positions overlap.
        var found: [(id: Int64, position: Int64)] = []
        var rest = rowsAtOnce
        var (all, last) = (0, Int64?.none)
        var end: Int64?
        for (number, volume) in volumes.enumerated() {
            // Rows at or behind this position are not needed.
            let bound = min(end ?? .max, found.count < limit ? .max : found[limit - 1].position)
            let most = max(1, rest / (volumes.count - number))
            var (passed, fitting) = (0, 0)
            try statement.forEach(
                from, to, links.lowerBound, links.upperBound, automated.lowerBound, automated.upperBound,
                firsts.lowerBound, firsts.upperBound, volume, recipient, lower
            ) { row in
                let position = row.integer(2)
                guard position < bound else { return false }
                guard passed < most else {
                    end = position
                    return false
                }
                passed += 1
                last = max(last ?? position, position)
                if row.bool(0), message.map({ $0 == row.integer(3) }) ?? true, codes.contains(row.integer(4)) {
                    found.append((row.integer(1), position))
                    fitting += 1
                }
                return fitting < limit
            }
            rest -= passed
            all += passed
            found = Array(found.sorted { $0.position < $1.position }.prefix(limit))
        }
        let known = found.filter { $0.position < end ?? .max }
        return Reading(ids: known.map(\.id), next: known.count < limit ? end : nil, passed: all, last: last)
    }

    /// Reads the recipient's interactions with each message, and merges them into one order.
    private func readMessages(of recipient: Int64, from lower: Int64, _ db: any SQLConnection) throws -> Reading {
        let messages = try query.message.map { [Int64($0.rawValue)] } ?? Self.messages(of: recipient, db)
        let rowsOfEach = max(1, rowsAtOnce / max(1, messages.count))
        let codes = Set(kinds.map { Int64($0.code) })
        var found: [Int64] = []
        var passed: [Int64: Int] = [:]
        var (end, last) = (Int64?.none, Int64?.none)
        try db.statement(
            """
            SELECT \(fits), i.id, i.position, i.message, i.kind
            FROM unnest(?) AS asked (message) CROSS JOIN LATERAL (
                SELECT * FROM interactions
                WHERE recipient = ? AND message = asked.message AND position >= ? ORDER BY position LIMIT ?
            ) i ORDER BY i.position
            """
        ).forEach(
            from, to, links.lowerBound, links.upperBound, automated.lowerBound, automated.upperBound,
            firsts.lowerBound, firsts.upperBound, IntegerList(messages), recipient, lower, rowsOfEach + 1
        ) { row in
            // The query returns one row more of each message than may be passed over. That row ends the read, because
            // the message may have others behind it.
            guard passed[row.integer(3), default: 0] < rowsOfEach else {
                end = row.integer(2)
                return false
            }
            passed[row.integer(3), default: 0] += 1
            last = row.integer(2)
            if row.bool(0), codes.contains(row.integer(4)) { found.append(row.integer(1)) }
            return found.count < limit
        }
        return Reading(ids: found, next: end, passed: passed.values.reduce(0, +), last: last)
    }

    /// The messages that a recipient did something with. Takes one step in the index for each.
    private static func messages(of recipient: Int64, _ db: any SQLConnection) throws -> [Int64] {
        try db.statement(
            """
            WITH RECURSIVE found (message) AS (
                (SELECT message FROM interactions WHERE recipient = ?1 ORDER BY message LIMIT 1)
                UNION ALL
                SELECT (
                    SELECT message FROM interactions
                    WHERE recipient = ?1 AND message > found.message ORDER BY message LIMIT 1
                ) FROM found WHERE found.message IS NOT NULL
            )
            SELECT message FROM found WHERE message IS NOT NULL
            """
        ).all(recipient) { $0.integer(0) }
    }
}
