import Consent
import Identifiers
import SQL
import StorageContracts
import StoragePorts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// A copy has no note of rows that are not counted yet: nobody would ever count them.
@Suite struct CopyReadinessTests {
    @Test(
        "a file with consents that an upgrade has not counted yet is not ready, until a start has counted them",
        arguments: [
            "INSERT INTO consent_filling VALUES (0, 0, 0)", "INSERT INTO evidence_word_filling VALUES (0, 0)",
        ])
    func unfinished(_ change: String) async throws {
        try await withSQLite { fixture in
            func isFilled() async throws -> Bool {
                try await fixture.storage.stores.database.read(CopyReadiness.isFilled)
            }
            #expect(try await isFilled())
            let undo = "DELETE FROM \(change.split(separator: " ")[2])"
            try await fixture.storage.stores.database.write { try $0.db.statement(change).run() }
            #expect(try await isFilled(), "there is nothing to count")
            try await fixture.storage.stores.database.write { try $0.db.statement(undo).run() }
            try await fixture.ports.record(.given, for: .ana)
            #expect(try await isFilled())
            try await fixture.storage.stores.database.write { try $0.db.statement(change).run() }
            #expect(try await !isFilled())
            while try fixture.storage.database.writeNow({ db in try ConsentCountFilling.step(db) }) {}
            while try fixture.storage.database.writeNow({ db in try EvidenceWordFilling.step(db) }) {}
            #expect(try await isFilled())
        }
    }
}
