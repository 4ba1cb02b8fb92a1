import Consent
import GRDB
import SQL
import SQLiteFiles
import StorageContracts
import StoragePorts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// The text that a recipient is shown is the one whose digest goes into the evidence, whatever is done to the file.
@Suite struct ChangedNoticeTests {
    @Test(
        "a notice that was changed in the file is shown to nobody, and an answer to it is not recorded",
        arguments: [
            "replace(content, 'May we?', 'Win!')", "replace(content, '\"version\":\"3\"', '\"version\":\"4\"')",
            "'no JSON'", "content || ' '",
        ])
    func changed(_ content: String) async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            let made = try await ports.request(.ana, notice: .sample("May we?"), at: .noon)
            let other = try await ports.request(.bo, at: .noon)
            try await fixture.storage.database.write { writing in
                try writing.db.execute(
                    sql: "UPDATE consent_notices SET content = \(content) WHERE instr(content, 'May we?')")
            }
            let reason = UnreadableNotice(1, of: ports.acme)
            await #expect(throws: reason) { try await ports.consentRequests.request(made.id) }
            await #expect(throws: reason) {
                try await ports.consentRequests.requests(about: .ana, after: nil, limit: 10, in: ports.acme)
            }
            await #expect(throws: reason) { try await ports.press(.given, on: made, at: .noon) }
            #expect(try await ports.consents.history(of: .ana, in: ports.acme).isEmpty)
            #expect(try await ports.press(.given, on: other, at: .noon).verdict == .records(.given))
        }
    }

    @Test("a text that is not the one of its own digest is not shown, though the row was sealed anew")
    func another() async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            let honest = ConsentNotice.sample("May we?")
            let forged = ConsentNotice(
                id: honest.id, version: honest.version, sha256: honest.sha256, language: honest.language,
                body: .text("Win!"))
            await #expect(throws: UnreadableNotice.self) {
                try await ports.request(.ana, notice: forged, at: .noon)
            }
        }
    }
}
