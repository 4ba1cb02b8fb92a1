import PostgresClient

@testable import PostgresStorage

extension PostgresFixture {
    /// Runs the statements on a connection of their own, as an operator would.
    func run(_ script: String) async throws {
        try await PostgresSchema.withConnection(settings) { connection in try connection.run(script: script) }
    }

    /// What is found at the service's tables that it did not make.
    func alterations() async throws -> [DatabaseFinding] {
        try await PostgresSchema.withConnection(settings) { try PostgresCheck.alteredFindings($0) }
    }
}
