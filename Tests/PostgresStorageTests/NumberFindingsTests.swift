import PostgresClient
import SQL
import Testing

@testable import PostgresStorage

@Suite struct NumberFindingsTests {
    @Test("the database with the oldest transactions is named once they are older than the limit")
    func age() async throws {
        let fixture = try await PostgresFixture()
        let connection = try PostgresConnection(fixture.settings.location, password: nil)
        defer { connection.close() }
        let findings = try PostgresCheck.ageFindings(connection, limit: 0)
        guard case .oldTransactions(let database, let age)? = findings.first, findings.count == 1 else {
            Issue.record("\(findings)")
            return
        }
        #expect(age > 0)
        #expect(findings[0].remedy.contains(database))
        #expect(!findings[0].isFatal)
        #expect(try PostgresCheck.ageFindings(connection, limit: PostgresCheck.oldAge).isEmpty)
        #expect(try await PostgresCheck.numberFindings(fixture.settings).isEmpty)
    }
}
