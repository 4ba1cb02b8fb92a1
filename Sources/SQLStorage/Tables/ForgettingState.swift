import SQL

/// How much was forgotten of an organization. What was read of its recipients and interactions holds while this is the
/// same.
struct ForgettingState: Equatable, Sendable {
    /// Grows with each person that is erased: then a reference has no recipient any more.
    let erasures: Int64
    /// Up to which id of an interaction retention has deleted.
    let purged: Int64

    private static let columns = "SELECT number, erasures, interactions_purged FROM organizations"

    /// - Returns: `nil` for an organization that is not there.
    static func find(_ organization: Int64, _ db: any SQLConnection) throws -> ForgettingState? {
        try db.statement("\(columns) WHERE number = ?").first(organization, read: ForgettingState.init)
    }

    /// The same of several, of an engine that has lists.
    static func find(
        all organizations: Set<Int64>, _ db: any SQLConnection
    ) throws -> [Int64: ForgettingState] {
        let found = try db.statement("\(columns) WHERE number = ANY(?)")
            .all(IntegerList(Array(organizations))) { ($0.integer(0), ForgettingState($0)) }
        return Dictionary(uniqueKeysWithValues: found)
    }
}

extension ForgettingState {
    private init(_ row: SQLRow) { self.init(erasures: row.integer(1), purged: row.integer(2)) }
}
