import Interactions
import SQL

/// Finds the first and the last interactions of an organization. Reads at most as many rows of each kind as are asked
/// for, also where the organization has none of a kind.
enum InteractionPositions {
    /// The least position of each kind that has an interaction behind `position`.
    static func least(behind position: Int64 = .min, of organization: Int64, _ db: any SQLConnection) throws -> [Int64]
    {
        try ends(of: organization, "> ?", position, "", db)
    }

    /// The greatest position of each kind that has an interaction up to `position`.
    static func greatest(
        through position: Int64 = .max, of organization: Int64, _ db: any SQLConnection
    ) throws -> [Int64] {
        try ends(of: organization, "<= ?", position, " DESC", db)
    }

    /// The ids of the oldest interactions before `position`, in their order.
    static func oldest(
        before position: Int64, limit: Int, of organization: Int64, _ db: any SQLConnection
    ) throws -> [Int64] {
        let first = db.dialect.first("organization")
        let find = try db.statement(
            """
            SELECT id, position FROM interactions INDEXED BY interactions_by_organization
            WHERE \(first.condition) AND kind = ? AND position < ? ORDER BY \(first.order)position LIMIT ?
            """
        )
        let found = try InteractionKind.allCases.flatMap { kind in
            try find.all(organization, kind.code, position, limit) { (id: $0.integer(0), position: $0.integer(1)) }
        }
        return found.sorted { $0.position < $1.position }.prefix(limit).map(\.id)
    }

    /// Orders by the whole index. For `min` and `max` an engine may walk the index of all positions, which passes the
    /// interactions of every other organization and kind.
    private static func ends(
        of organization: Int64, _ isInRange: String, _ bound: Int64, _ direction: String, _ db: any SQLConnection
    ) throws -> [Int64] {
        let first = db.dialect.first("organization")
        let order = first.order.isEmpty ? "" : "organization\(direction), "
        let end = try db.statement(
            """
            SELECT position FROM interactions INDEXED BY interactions_by_organization
            WHERE \(first.condition) AND kind = ? AND position \(isInRange) ORDER BY \(order)position\(direction) LIMIT 1
            """
        )
        return try InteractionKind.allCases.compactMap { kind in
            try end.first(organization, kind.code, bound) { $0.integer(0) }
        }
    }
}
