import Consent
import Identifiers
import Interactions
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// A person is found in all volumes of a log.
@Suite struct LogVolumeTests {
    @Test("decisions and interactions of a person are found, and cut at an erasure, across volumes and restarts")
    func volumes() async throws {
        let rows = Int(LogVolumes.rowsPerVolume) * 2 + 100
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            let people = [try RecipientID.ana] + (try (0..<99).map { try RecipientID("person\($0)") })
            let batch = people.map { ($0, DecisionReason.consentGiven) }
            let reference = try #require(try await fixture.ports.decide(batch, of: message).first?.reference)
            for _ in 1..<(rows / 200) { try await fixture.ports.decide(batch, of: message) }

            let reopened = try fixture.reopened()
            for _ in (rows / 200)..<(rows / 100) { try await reopened.ports.decide(batch, of: message) }
            let clicks = (1...UInt64(rows)).map { SpooledOccurrence.click($0, message, reference) }
            try await reopened.storage.stores.interactions.store(clicks, at: .noon)

            let decisions = try await reopened.storage.stores.decisions.decisions(
                matching: DecisionQuery(recipient: .ana),
                limit: 10_000,
                in: fixture.ports.acme
            )
            #expect(decisions.count == rows / 100)
            #expect(decisions.map(\.id) == decisions.map(\.id).sorted())
            let interactions = try await reopened.storage.stores.interactions.interactions(
                matching: InteractionQuery(recipient: .ana, after: .interaction(clicks[9].id)),
                limit: rows,
                in: fixture.ports.acme
            )
            #expect(interactions.map(\.id) == clicks.dropFirst(10).map(\.id))
            let erasure = try await reopened.storage.stores.consents.erase(.ana, in: fixture.ports.acme)
            #expect(erasure == ErasureCounts(consents: 0, decisions: rows / 100, interactions: rows))
            try reopened.storage.close()
        }
    }
}
