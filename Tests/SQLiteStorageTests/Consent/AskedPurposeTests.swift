import Consent
import Identifiers
import SQLiteFiles
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// What a consent request costs, however many requests and records a recipient has.
@Suite struct AskedPurposeTests {
    private static let indexes = [
        "consents_in_force (organization=? AND recipient=? AND purpose=? AND occurred_at>?)",
        "consents_not_given (organization=? AND recipient=? AND purpose=? AND rowid>?)",
    ]

    @Test("whether a request is answered is asked of its last record by date and its last no by order of storing")
    func plans() async throws {
        try await withSQLite { fixture in
            let made = try await fixture.ports.request(.ana, at: .noon)
            let plans = try await Self.plans(fixture, of: made)
            #expect(plans.count == 2)
            for plan in plans {
                for index in Self.indexes {
                    #expect(plan.steps.contains { $0.hasSuffix(index) }, "\(plan)")
                }
                let records = plan.steps.filter { $0.contains("consents_") }
                #expect(records.count == Self.indexes.count, "\(plan)")
            }
        }
    }

    @Test("only the last request is looked at for silence")
    func last() async throws {
        try await withSQLite { fixture in
            let made = try await fixture.ports.request(.ana, at: .noon)
            let plans = try await Self.plans(fixture, of: made)
            let plan = try #require(plans.first { $0.sql.contains("made_at") })
            #expect(plan.sql.contains("ORDER BY request DESC LIMIT 1\n) p"))
            let search = "consent_request_purposes_asked (recipient=? AND purpose=?)"
            #expect(plan.steps.contains { $0.hasSuffix(search) }, "\(plan)")
            #expect(!plan.steps.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
        }
    }

    @Test("a file of the version before gets the index of the records that are not given")
    func upgrade() async throws {
        try await withSQLite { fixture in
            let made = try await fixture.ports.request(.ana, at: .noon)
            try await fixture.ports.record(.withdrawn, for: .ana, occurredAt: .noon + -1, at: .noon + 1)
            try await fixture.makeOld(before: Schema.consentsNotGiven)
            let reopened = try SQLiteFixture(fixture.folder)
            let found = try #require(try await reopened.ports.consentRequests.request(made.id))
            #expect(found.purposes.map(\.closing) == [.laterAnswer])
            try await reopened.ports.checkTree()
            try reopened.storage.close()
        }
    }

    /// How both questions about the records of a request are answered.
    private static func plans(
        _ fixture: SQLiteFixture, of request: ConsentRequest
    ) async throws -> [(sql: String, steps: [String])] {
        let plans = try await fixture.storage.database.read { db in
            try db.plans {
                _ = try AskedPurposeRow.all(of: request.id, 1, db)
                _ = try AskedPurposeRow.lastUnanswered(purpose: 1, recipient: 1, organization: 1, db)
            }
        }
        return plans.filter { $0.sql.contains("consent_request_purposes") }
    }
}
