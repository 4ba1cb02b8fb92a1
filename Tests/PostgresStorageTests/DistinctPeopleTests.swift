import Identifiers
import PostgresClient
import Reports
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import PostgresStorage
@testable import SQLStorage

/// How often a report of many messages asks a server.
@Suite struct DistinctPeopleTests {
    private static let blocks: Int64 = 700

    @Test("thousands of blocks take a few questions, and as many are counted as are looked up")
    func questions() async throws {
        let fixture = try await PostgresFixture()
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        let messages = [
            try await ports.message(), try await ports.message("autumn"), try await ports.message("winter"),
        ]
        try await PostgresSchema.withConnection(fixture.settings) { db in
            for message in messages {
                for table in ["message_people", "message_opens_people"] {
                    try db.statement(
                        "INSERT INTO \(table) SELECT ?::bigint, i, ''::bytea FROM generate_series(1, ?::bigint) i"
                    ).run(message, Self.blocks)
                }
                try db.statement(
                    """
                    INSERT INTO message_responders
                        SELECT ?::bigint, r, i, ''::bytea FROM generate_series(1, ?::bigint) i, generate_series(1, 3) r
                    """
                ).run(message, Self.blocks)
            }
            // 700 blocks of each: clicks of three messages, opens of them, and three kinds of responses to them.
            let places = Int(Self.blocks) * (3 + 3 + 9)
            let counting = CountingConnection(db)
            var visited = 0
            try DistinctPeople.read(of: messages, apart: [messages[0]], maximumBlockCount: places, counting) { _ in
                visited += 1
            }
            #expect(visited == Int(Self.blocks) * 3)
            #expect(counting.questions <= 4 + 3 + 2 * 3 + 3 * 7, "\(counting.questions) questions")
            #expect(throws: ReportSelectionError.tooManyPeople) {
                try DistinctPeople.read(of: messages, apart: [messages[0]], maximumBlockCount: places - 1, db) { _ in }
            }
        }
        try fixture.close()
    }
}
