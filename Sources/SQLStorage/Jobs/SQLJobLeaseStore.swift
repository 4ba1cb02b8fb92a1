package import Identifiers
import SQL
package import StoragePorts

/// Leases of jobs. If one process has the database, it takes leases between two transactions, so that taking one writes
/// nothing and does not fail with a commit. Nodes that share a database keep them in a table.
package struct SQLJobLeaseStore: JobLeaseStore {
    private let database: any SQLDatabase

    init(_ database: any SQLDatabase) { self.database = database }

    package func acquire(_ job: Job, at now: Timestamp, until end: Timestamp) async throws -> JobToken? {
        try await inMemory { leases throws(JobTokenExpired) in
            leases.acquire(job, at: now, until: end)
        } orInTable: { db in
            try LeaseRow.acquire(job, at: now, until: end, db)
        }
    }

    package func renew(_ token: JobToken, until end: Timestamp) async throws {
        try await inMemory { leases throws(JobTokenExpired) in
            try leases.renew(token, until: end)
        } orInTable: { db in
            try LeaseRow.renew(token, until: end, db)
        }
    }

    package func release(_ token: JobToken) async throws {
        try await inMemory { leases throws(JobTokenExpired) in
            leases.release(token)
        } orInTable: { db in
            try LeaseRow.release(token, db)
        }
    }

    private func inMemory<Value: Sendable>(
        _ inMemory: @escaping @Sendable (inout JobLeases) throws(JobTokenExpired) -> Value,
        orInTable inTable: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        guard database.hasSeveralWriters else {
            return try await database.betweenCommits { try inMemory(&$0.leases) }
        }
        return try await database.write(isAlone: true) { try inTable($0.db) }
    }
}

/// The leases of nodes that share a database: the last one of each job. A step of a job runs in a transaction that no
/// other can overlap, so a lease that is valid at its beginning is valid at its end.
private enum LeaseRow {
    static func acquire(_ job: Job, at now: Timestamp, until end: Timestamp, _ db: any SQLConnection) throws
        -> JobToken?
    {
        let last = try db.statement("SELECT number, ends FROM leases WHERE job = ?")
            .first(job.rawValue) { (number: $0.integer(0), end: $0.isNull(1) ? nil : $0.timestamp(1)) }
        // A lease that ends later than one that begins now was taken by a clock that was ahead.
        let lifetime = Duration.milliseconds(end.millisecondsSince1970) - .milliseconds(now.millisecondsSince1970)
        if let end = last?.end, end > now, (end - lifetime).isPossible(at: now) { return nil }
        let number = max((last?.number ?? 0) &+ 1, 1)
        try db.statement(
            """
            INSERT INTO leases (job, number, ends) VALUES (?, ?, ?)
            ON CONFLICT (job) DO UPDATE SET number = excluded.number, ends = excluded.ends
            """
        ).run(job.rawValue, number, end)
        return JobToken(job: job, number: UInt64(number))
    }

    static func renew(_ token: JobToken, until end: Timestamp, _ db: any SQLConnection) throws {
        let kept = try db.statement("UPDATE leases SET ends = ? WHERE job = ? AND number = ? AND ends IS NOT NULL")
            .changes(end, token.job.rawValue, Int64(token.number))
        guard kept == 1 else { throw JobTokenExpired() }
    }

    static func release(_ token: JobToken, _ db: any SQLConnection) throws {
        try db.statement("UPDATE leases SET ends = NULL WHERE job = ? AND number = ?")
            .run(token.job.rawValue, Int64(token.number))
    }

    static func isHeld(_ token: JobToken, _ db: any SQLConnection) throws -> Bool {
        try db.statement("SELECT 1 FROM leases WHERE job = ? AND number = ? AND ends IS NOT NULL")
            .first(token.job.rawValue, Int64(token.number)) { _ in true } ?? false
    }
}

extension WriteContext {
    /// Must be called at the beginning of a step of `job`.
    /// - Throws: `JobTokenExpired`
    func requireLease(_ token: JobToken, of job: Job) throws {
        guard db.dialect.hasSeveralWriters else { return try leases.require(token, of: job) }
        guard token.job == job, try LeaseRow.isHeld(token, db) else { throw JobTokenExpired() }
    }
}
