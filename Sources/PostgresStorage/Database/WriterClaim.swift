import Cryptography
import PostgresClient
import SQL

/// What lets one service at a time write to a database.
///
/// The connection that writes holds an advisory lock as long as it lives, and all writes go over it: whoever has the lock
/// knows that nobody else writes. A row says who took the database last, so that a service that connects again sees
/// whether somebody else had it meanwhile. What it has in memory would be old then.
struct WriterClaim {
    /// The advisory lock: "consentl" in ASCII.
    private static let lock: Int64 = 0x636F_6E73_656E_746C

    private let instance: [UInt8]
    /// Whether this service ever took the database, so that what it has in memory comes from there.
    private var hasTaken = false

    init() {
        var random = SecureRandom()
        instance = random.bytes(16)
    }

    /// - Throws: ``WriterBusy`` while another connection holds the database, which may be a lost one of this service;
    ///   ``WriterTaken`` when another service held it since this one did last.
    mutating func take(_ connection: PostgresConnection) throws {
        let isFree = try connection.statement("SELECT pg_try_advisory_lock(?)").first(Self.lock) { $0.bool(0) }
        guard isFree == true else { throw WriterBusy() }
        let last = try connection.statement("SELECT instance FROM writer").first { $0.bytes(0) }
        guard let last else { throw StorageError.unreadable }
        // The count says nothing: it may be from a claim of this service's own whose answer was lost.
        if hasTaken, last != instance { throw WriterTaken() }
        try connection.statement("UPDATE writer SET instance = ?, generation = generation + 1").run(instance)
        try connection.waitForAnswers()
        hasTaken = true
    }
}

/// Another connection holds the database. It may be one that was lost, which the server notices within seconds.
struct WriterBusy: Error {}

/// Another service has written to the database since this one did. What is in memory here is old: only a restart helps.
struct WriterTaken: Error {
    static let fault = EngineFault(code: "writer", text: "another service has taken the database")
}
