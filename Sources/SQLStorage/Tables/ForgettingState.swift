import SQL

/// How much of an organization was forgotten. What was read about its recipients and interactions stays valid as long
/// as this value is the same.
struct ForgettingState: Equatable, Sendable {
    /// Grows with each erasure: then a reference no longer stands for a recipient.
    let erasures: Int64
    /// The greatest id of an interaction that retention has deleted, or a little more: it grows with each step that
    /// deletes some.
    let purged: Int64

    private static let columns = "SELECT number, erasures, interactions_purged FROM organizations"

    /// - Returns: `nil` if there is no such organization, or if its values cannot be read; the check of the ledgers
    ///   finds that.
    static func find(_ organization: Int64, _ db: any SQLConnection) throws -> ForgettingState? {
        try db.statement("\(columns) WHERE number = ?").first(organization) { row in
            try row.ifReadable { ForgettingState(row) }
        } ?? nil
    }

    /// The states of several organizations, by their numbers. Those that are unknown or cannot be read are left out: one
    /// organization must not keep the interactions of others from being stored. The engine must have lists.
    static func find(
        all organizations: Set<Int64>, _ db: any SQLConnection
    ) throws -> [Int64: ForgettingState] {
        let found = try db.statement("\(columns) WHERE number = ANY(?)")
            .all(IntegerList(Array(organizations))) { row in
                let number = row.integer(0)
                return try row.ifReadable { ForgettingState(row) }.map { (number, $0) }
            }
        // A damaged table may have a row twice.
        return Dictionary(found.compactMap(\.self)) { first, _ in first }
    }
}

extension ForgettingState {
    private init(_ row: SQLRow) { self.init(erasures: row.integer(1), purged: row.integer(2)) }
}
