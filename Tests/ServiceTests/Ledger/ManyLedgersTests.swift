import Consent
import Cryptography
import Identifiers
import Ledger
import Logging
import Organizations
import Synchronization
import Testing
import UseCases
import Waiting

@testable import SQLStorage
@testable import SQLiteStorage
@testable import Service

/// What is signed of many ledgers that grew in the same second.
@Suite struct ManyLedgersTests {
    private static let count = 8

    /// Keeps checkpoints in memory. Each write returns once as many are under way as there are ledgers.
    private final class Archive: CheckpointArchive {
        private let notes = Mutex<[OrganizationID: [UInt8]]>([:])
        private let writes = Condition(0) { (begun: Int, need: Int) in begun >= need ? begun : nil }

        var noteCount: Int { notes.withLock { $0.count } }

        func read(of organization: OrganizationID) async throws(CheckpointArchiveFailure) -> [UInt8]? {
            notes.withLock { $0[organization] }
        }

        func write(_ note: [UInt8], of organization: OrganizationID) async throws(CheckpointArchiveFailure) {
            writes.change { $0 += 1 }
            // A signer that writes one after another waits here once, and then no more.
            if await writes.wait(for: ManyLedgersTests.count, atMost: .seconds(20)) == nil {
                writes.change { $0 = ManyLedgersTests.count }
            }
            notes.withLock { $0[organization] = note }
        }

        func mayHaveHad(_: OrganizationID) async throws(CheckpointArchiveFailure) -> Bool { true }

        func remember(_: Set<OrganizationID>) async throws(CheckpointArchiveFailure) {}
    }

    private func signer(_ stores: SQLStores, _ archive: Archive) -> CheckpointSigner {
        CheckpointSigner(
            store: stores.ledgers, seed: SecretBytes([UInt8](repeating: 3, count: 32)), archive: archive,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Makes as many organizations as are signed together.
    private func create(in fixture: JudgedFixture) async throws {
        for number in 1...Self.count {
            let key = NewAPIKey(
                digest: APIKeyDigest(bytes: [UInt8](repeating: UInt8(100 + number), count: 32)), name: "", scopes: [])
            _ = try await fixture.storage.stores.organizations.create(
                Organization(id: OrganizationID("fresh-\(number)"), name: "", enforcement: .restrictive),
                firstKey: key, at: fixture.clock.now())
        }
    }

    @Test("checkpoints of many ledgers are written at the same time, and stored in fewer transactions")
    func together() async throws {
        let fixture = try await JudgedFixture(.restrictive)
        defer { fixture.end() }
        let (stores, archive) = (fixture.storage.stores, Archive())
        let signer = signer(stores, archive)
        _ = try await signer.begin([:]) {}
        try await create(in: fixture)
        let before = try await stores.commitCounter.value()
        let failure = await signer.finish()
        #expect(failure == nil)
        #expect(try await stores.commitCounter.value() - before < UInt64(Self.count))
        #expect(archive.noteCount == Self.count)
        #expect(try await stores.ledgers.unsigned().keys.allSatisfy { $0 == fixture.organization })
    }

    @Test("a start signs many ledgers at the same time")
    func atAStart() async throws {
        let fixture = try await JudgedFixture(.restrictive)
        defer { fixture.end() }
        let (stores, archive) = (fixture.storage.stores, Archive())
        try await create(in: fixture)
        var sizes: [OrganizationID: UInt64] = [:]
        for id in try await stores.ledgers.begin(at: fixture.clock.now()) {
            sizes[id] = try #require(try await stores.ledgers.head(of: id)).head.size
        }
        let before = try await stores.commitCounter.value()
        #expect(try await signer(stores, archive).begin(sizes) {})
        #expect(try await stores.commitCounter.value() - before < UInt64(Self.count))
        #expect(archive.noteCount == Self.count + 1)
        #expect(try await stores.ledgers.unsigned().isEmpty)
    }
}
