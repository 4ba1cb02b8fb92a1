import PostgresClient
import SQL

/// Keeps apart who may not have a database open at once: the nodes of this version, which take turns (`WriterTurn`), share
/// it; a service of a version that wrote alone, and one that moves the database to another storage, have it alone.
///
/// The connection that writes holds an advisory lock as long as it lives, and all writes go over it.
struct WriterClaim {
    /// The advisory lock: "consentl" in ASCII.
    private static let lock: Int64 = 0x636F_6E73_656E_746C

    let isAlone: Bool

    /// - Throws: ``WriterBusy`` while somebody has the database who does not share it, who may be a lost connection of
    ///   this process; ``MovedDatabase``.
    func take(_ connection: PostgresConnection) throws {
        let function = isAlone ? "pg_try_advisory_lock" : "pg_try_advisory_lock_shared"
        let isFree = try connection.statement("SELECT \(function)(?)").first(Self.lock) { $0.bool(0) }
        guard isFree == true else { throw WriterBusy() }
        // It may have been moved while this process had no connection.
        try FolderMark.requireNotMoved(connection)
    }
}

/// Somebody has the database who does not share it. It may be a connection that was lost, which the server notices within
/// seconds.
struct WriterBusy: Error {}
