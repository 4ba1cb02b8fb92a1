package import Identifiers
package import Organizations

/// Leases of jobs. They are taken between two transactions: taking one writes nothing, and fails with no commit.
package struct SQLiteJobLeaseStore: JobLeaseStore {
    private let database: SQLiteDatabase

    init(_ database: SQLiteDatabase) { self.database = database }

    package func take(_ job: Job, at now: Timestamp, until end: Timestamp) async throws -> JobToken? {
        try await database.betweenCommits { $0.leases.take(job, at: now, until: end) }
    }

    package func keep(_ token: JobToken, until end: Timestamp) async throws {
        try await database.betweenCommits { try $0.leases.keep(token, until: end) }
    }

    package func release(_ token: JobToken) async throws {
        try await database.betweenCommits { $0.leases.release(token) }
    }
}
