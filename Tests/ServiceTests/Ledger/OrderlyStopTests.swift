import Consent
import Cryptography
import Identifiers
import Ledger
import Logging
import SQLStorage
import SQLiteStorage
import Testing
import UseCases

@testable import Service

/// What is noted of the ledgers when a service ends.
@Suite struct OrderlyStopTests {
    /// Keeps no checkpoint: the ones in the database count.
    private struct Archive: CheckpointArchive {
        func read(of organization: OrganizationID) async throws(CheckpointArchiveFailure) -> [UInt8]? { nil }

        func write(_ note: [UInt8], of organization: OrganizationID) async throws(CheckpointArchiveFailure) {}

        func mayHaveHad(_: OrganizationID) async throws(CheckpointArchiveFailure) -> Bool { true }

        func remember(_: Set<OrganizationID>) async throws(CheckpointArchiveFailure) {}
    }

    /// A signer that has signed the ledger, and the number of its entries.
    private func begun(_ fixture: JudgedFixture) async throws -> (CheckpointSigner, size: UInt64) {
        let (ledgers, acme) = (fixture.storage.stores.ledgers, fixture.organization)
        let signer = CheckpointSigner(
            store: ledgers, seed: SecretBytes([UInt8](repeating: 3, count: 32)), archive: Archive(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        #expect(try await ledgers.begin(at: fixture.clock.now()) == [acme])
        let size = try #require(try await ledgers.head(of: acme)).head.size
        _ = try await signer.begin([acme: size]) {}
        return (signer, size)
    }

    @Test("a ledger is whole if all its entries are signed, and is not once it is closed")
    func wholeLedgers() async throws {
        let fixture = try await JudgedFixture(.restrictive)
        defer { fixture.end() }
        let (signer, size) = try await begun(fixture)
        let signed = try await signer.wholeLedgers()
        #expect(signed.whole == [fixture.organization: size] && signed.others == [])

        fixture.storage.stores.ledgers.close(because: LedgerInconsistency(fixture.organization, .anotherTree(0...0)))
        let closed = try await signer.wholeLedgers()
        #expect(closed.whole == [:] && closed.others == [fixture.organization])
    }

    @Test("a ledger with an entry that is not signed is not whole")
    func unsigned() async throws {
        let fixture = try await JudgedFixture(.restrictive)
        defer { fixture.end() }
        let (signer, _) = try await begun(fixture)
        _ = try await fixture.record(.refused, for: RecipientID("ana@people.example"))
        let found = try await signer.wholeLedgers()
        #expect(found.whole == [:] && found.others == [fixture.organization])
    }
}
