import PostgresClient
import SQL

/// Keeps processes apart that must not have a database open at the same time. The nodes of this version, which take
/// turns (`WriterLock`), share it. A service of a version that wrote alone, and one that moves the database to another
/// storage, do not share it.
///
/// The writing connection holds an advisory lock as long as it lives, and all writes use that connection.
struct WriterClaim {
    /// The advisory lock: "consentl" in ASCII.
    private static let lock: Int64 = 0x636F_6E73_656E_746C

    let isAlone: Bool
    /// The folder that the database must belong to; `nil` for any.
    var tenant: DatabaseTenant?

    /// - Throws: ``WriterBusy`` if a process has the database and does not share it, which may be a lost connection of
    ///   this process; ``MigratedDatabase``; what ``DatabaseOwner/require(_:_:)`` throws.
    func acquire(_ connection: PostgresConnection) throws {
        let function = isAlone ? "pg_try_advisory_lock" : "pg_try_advisory_lock_shared"
        let isFree = try connection.statement("SELECT \(function)(?)").first(Self.lock) { $0.bool(0) }
        guard isFree == true else { throw WriterBusy() }
        // The database may have been moved, or exchanged for another one, while this process had no connection.
        if let tenant { return try DatabaseOwner.require(tenant, connection) }
        try DatabaseOwner.requireNotMoved(connection)
    }
}

/// A process has the database and does not share it. It may be a lost connection, which the server notices within
/// seconds.
struct WriterBusy: Error {}
