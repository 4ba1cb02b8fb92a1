package import Identifiers
package import Organizations
import SQL

/// Leases of jobs. They are taken between two transactions: taking one writes nothing, and fails with no commit.
package struct SQLJobLeaseStore: JobLeaseStore {
    private let database: any SQLDatabase

    init(_ database: any SQLDatabase) { self.database = database }

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
