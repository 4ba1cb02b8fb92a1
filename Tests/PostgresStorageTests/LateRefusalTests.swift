import Consent
import Identifiers
import PostgresClient
import PostgresServer
import SQL
import StorageContracts
import Synchronization
import TestSupport
import Testing

@testable import PostgresStorage

/// Statements are sent without waiting for their answers, so a write of a group may have returned when the server refuses
/// what it sent last.
@Suite struct LateRefusalTests {
    @Test(
        "a decision that the server refuses after its write has returned is not acknowledged",
        arguments: ["23514", "53100", "XX002", "42501"])
    func decisions(_ state: String) async throws {
        let fixture = try await PostgresFixture()
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        let (message, basis) = (try await ports.message(), try await ports.basis())
        let other = try PostgresConnection(fixture.settings.location, password: nil)
        // The entry of the ledger is the last that a decision writes. A function of an extension is not looked at.
        try other.run(
            script: """
                CREATE FUNCTION refuse() RETURNS boolean LANGUAGE plpgsql AS
                    $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '\(state)'; END $$;
                ALTER EXTENSION plpgsql ADD FUNCTION refuse();
                ALTER TABLE ledger_runs ADD CONSTRAINT refusing CHECK (refuse()) NOT VALID;
                """)
        // Both come into one group: its requests are taken when the turn has come.
        try other.begin()
        try other.statement("SELECT FROM writer FOR UPDATE").first { _ in }
        let (first, second) = (try RecipientID.ana, try RecipientID.bo)
        let asked = [first, second].map { person in
            Task {
                try await ports.decisions.append(
                    [Decision(recipient: person, verdict: ConsentVerdict(reason: .noConsentRecord))], of: message,
                    in: ports.acme, asOf: basis, at: .noon)
            }
        }
        try await Task.sleep(for: .milliseconds(500))
        other.rollBack()
        for task in asked { await #expect(throws: (any Error).self) { try await task.value } }
        other.close()
        try fixture.close()

        // Also one that was damaged is read once more.
        let (_, again) = try fixture.open()
        let stored = try await again.decisions.decisions(matching: DecisionQuery(), limit: 9, in: ports.acme)
        #expect(stored.isEmpty)
        try fixture.close()
    }
}
