import Consent
import Identifiers
import PostgresClient
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import PostgresStorage
@testable import SQLStorage

/// How often a page of the consent feed asks a server.
@Suite struct ConsentFeedQuestionTests {
    private static let records = 80

    @Test("a page takes a few questions also where a decision stands behind every record, and each item has its place")
    func questions() async throws {
        let fixture = try await PostgresFixture()
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        let message = try await ports.message()
        let names = try (0..<Self.records).map { try RecipientID("person-\($0)@example.com") }
        for name in names {
            try await ports.record(.given, for: name)
            try await ports.decide([(name, .consentGiven)], of: message)
        }
        let acme = ports.acme
        try await PostgresSchema.withConnection(fixture.settings) { connection in
            let storage = try StorageConnection.of(connection, SealingKeys(key: PostgresFixture.erasureKey))
            try connection.snapshot {
                let row = try #require(try OrganizationRow.find(acme, storage))
                let counting = CountingConnection(storage)
                let reading = ConsentFeedReading(organization: row.number, counting)
                let items = try #require(try reading.items(after: nil, limit: 1000))
                #expect(counting.questions <= 10, "\(counting.questions) questions")
                #expect(
                    items.map { item -> RecipientID? in
                        guard case .recorded(_, let recipient) = item.content else { return nil }
                        return recipient
                    } == names)
                for (item, next) in zip(items, items.dropFirst()) {
                    #expect(try reading.items(after: item.position, limit: 1) == [next])
                }
                let middle = items[9].position
                #expect(try reading.items(after: middle, limit: 50) == Array(items[10..<60]))
            }
        }
        try fixture.close()
    }
}
