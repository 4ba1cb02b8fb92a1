import Consent
import Cryptography
import Identifiers
import Ledger
import Logging
import Organizations
import SQL
import StorageContracts
import Synchronization
import Testing

@testable import SQLStorage
@testable import SQLiteStorage
@testable import Service
@testable import UseCases

@Suite struct CheckpointSignerTests {
    /// Keeps checkpoints in memory.
    private final class Archive: CheckpointArchive {
        private let notes = Mutex<[OrganizationID: [UInt8]]>([:])
        private let isBroken: Bool
        /// How many more of what is to be written is not, because there is no room.
        let writesToFail = Mutex(0)
        /// Is called with each organization whose checkpoint was written.
        private let onWrite: @Sendable (OrganizationID) async -> Void

        init(isBroken: Bool = false, onWrite: @escaping @Sendable (OrganizationID) async -> Void = { _ in }) {
            self.isBroken = isBroken
            self.onWrite = onWrite
        }

        func note(of organization: OrganizationID) -> [UInt8]? { notes.withLock { $0[organization] } }

        func read(of organization: OrganizationID) async throws(CheckpointArchiveFailure) -> [UInt8]? {
            if isBroken { throw CheckpointArchiveFailure(isTransient: true, description: "too many files are open") }
            return note(of: organization)
        }

        func write(_ note: [UInt8], of organization: OrganizationID) async throws(CheckpointArchiveFailure) {
            let fails = writesToFail.withLock { count in
                defer { count = max(0, count - 1) }
                return count > 0
            }
            if fails { throw CheckpointArchiveFailure(isTransient: true, description: "the disk is full") }
            notes.withLock { $0[organization] = note }
            await onWrite(organization)
        }

        func mayHaveHad(_: OrganizationID) async throws(CheckpointArchiveFailure) -> Bool { true }

        func remember(_: Set<OrganizationID>) async throws(CheckpointArchiveFailure) {}
    }

    private func signer(_ fixture: JudgedFixture, _ archive: Archive, key: UInt8 = 3) -> CheckpointSigner {
        CheckpointSigner(
            store: fixture.storage.stores.ledgers, seed: SecretBytes([UInt8](repeating: key, count: 32)),
            archive: archive,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func size(of organization: OrganizationID, _ fixture: JudgedFixture) async throws -> UInt64 {
        try #require(try await fixture.storage.stores.ledgers.head(of: organization)).head.size
    }

    private func sizes(_ fixture: JudgedFixture) async throws -> [OrganizationID: UInt64] {
        var sizes: [OrganizationID: UInt64] = [:]
        for id in try await fixture.storage.stores.ledgers.begin(at: fixture.clock.now()) {
            sizes[id] = try await size(of: id, fixture)
        }
        return sizes
    }

    @Test("a checkpoint that cannot be looked for is not taken for one that is there")
    func shortageWhileLooking() async throws {
        let fixture = try await JudgedFixture(.restrictive)
        defer { fixture.end() }
        let id = try OrganizationID("other")
        #expect(try await !signer(fixture, Archive()).hasCheckpoint(of: id))
        let shortage = CheckpointArchiveFailure(isTransient: true, description: "too many files are open")
        await #expect(throws: shortage) { try await signer(fixture, Archive(isBroken: true)).hasCheckpoint(of: id) }
    }

    @Test("what a ledger grows by while others are signed at the start is signed, too")
    func growthWhileBeginning() async throws {
        let fixture = try await JudgedFixture(.restrictive)
        defer { fixture.end() }
        let other = try OrganizationID("other")
        let key = NewAPIKey(digest: APIKeyDigest(bytes: [UInt8](repeating: 9, count: 32)), name: "", scopes: [])
        _ = try await fixture.storage.stores.organizations.create(
            Organization(id: other, name: "Other", enforcement: .restrictive), firstKey: key, at: fixture.clock.now())
        let sizes = try await sizes(fixture)
        #expect(sizes.count == 2)
        let signed = Mutex<[OrganizationID]>([])
        let archive = Archive { [storage = fixture.storage, clock = fixture.clock] organization in
            let all = signed.withLock { signed in
                signed.append(organization)
                return signed
            }
            guard all.count == 2 else { return }
            // The second ledger is being signed; somebody of the first says no.
            let no = try? NewConsentRecord(
                recipient: RecipientID("ana@people.example"), purpose: .tracking, state: .refused, occurredAt: nil,
                validUntil: nil, evidence: nil, now: clock.now())
            _ = try? await storage.stores.consents.append([no].compactMap { $0 }, in: all[0], at: clock.now())
        }
        let signer = signer(fixture, archive)
        #expect(try await signer.begin(sizes) {})
        let first = try #require(signed.withLock { $0.first })
        #expect(try await size(of: first, fixture) > sizes[first] ?? 0)
        await signer.signGrown()
        let newest = try await signer.newest(of: first).head.size
        #expect(try await newest == size(of: first, fixture))
    }

    @Test(
        "a ledger with the name of another organization's is closed, and nothing is signed in that name",
        arguments: ["links.example/globex", "links.example/xacme", "acme", "/acme", "links.example/acme/"])
    func foreignName(_ origin: String) async throws {
        let fixture = try await JudgedFixture(.restrictive)
        defer { fixture.end() }
        try await fixture.storage.database.write {
            try $0.db.statement("UPDATE ledgers SET origin = ?").run(origin)
        }
        let archive = Archive()
        let signer = signer(fixture, archive)
        _ = try await signer.begin(sizes(fixture)) {}
        let reason = LedgerInconsistency(fixture.organization, .derived(.origin))
        #expect(signer.reason(for: fixture.organization) == reason)
        #expect(archive.note(of: fixture.organization) == nil)
        await #expect(throws: reason) { try await signer.checkpoint(of: fixture.organization) }
        await #expect(throws: reason) { try await signer.verifier(of: fixture.organization) }
    }

    @Test("a ledger keeps the name of the host at which it began")
    func earlierHost() async throws {
        let fixture = try await JudgedFixture(.restrictive)
        defer { fixture.end() }
        try await fixture.storage.database.write {
            try $0.db.statement("UPDATE ledgers SET origin = ?").run("before.example:8443/acme")
        }
        let archive = Archive()
        let signer = signer(fixture, archive)
        #expect(try await signer.begin(sizes(fixture)) {})
        #expect(archive.note(of: fixture.organization) != nil)
    }

    /// A signer that has begun, and had no room to write a checkpoint.
    private func signerWithoutRoom(_ fixture: JudgedFixture, _ archive: Archive) async throws -> CheckpointSigner {
        archive.writesToFail.withLock { $0 = 2 }
        let signer = signer(fixture, archive)
        _ = try await signer.begin(sizes(fixture)) {}
        return signer
    }

    @Test("what cannot be signed at the start is signed when there is room, though nothing is entered")
    func roomAfterTheStart() async throws {
        let fixture = try await JudgedFixture(.restrictive)
        defer { fixture.end() }
        let archive = Archive()
        let signer = try await signerWithoutRoom(fixture, archive)
        #expect(archive.note(of: fixture.organization) == nil)
        #expect(signer.reasonsNotReady.map(\.description) == ["checkpoints cannot be written: the disk is full"])
        // As the service does, which waits for growth first.
        _ = await signer.growth.first { true }
        #expect(await !signer.signGrown())
        #expect(await signer.signGrown())
        #expect(archive.note(of: fixture.organization) != nil)
        #expect(signer.reasonsNotReady == [])
    }

    @Test("the end says why something stays unsigned")
    func endWithoutRoom() async throws {
        let fixture = try await JudgedFixture(.restrictive)
        defer { fixture.end() }
        let archive = Archive()
        let signer = try await signerWithoutRoom(fixture, archive)
        let failure = await signer.finish()
        #expect(failure?.description == "the disk is full")
        let none = await signer.finish()
        #expect(none == nil)
        #expect(archive.note(of: fixture.organization) != nil)
    }

    @Test("a ledger is closed when the database beside its checkpoint is an earlier one, before anything is signed")
    func earlierDatabase() async throws {
        let (fixture, later) = (try await JudgedFixture(.restrictive), try await JudgedFixture(.restrictive))
        defer { for one in [fixture, later] { one.end() } }
        let archive = Archive()
        let signer = signer(fixture, archive)
        #expect(try await signer.begin(sizes(fixture)) {})
        try await signer.holdAll()
        #expect(signer.closedLedgers == [])
        let no = try NewConsentRecord(
            recipient: RecipientID("ana@people.example"), purpose: .tracking, state: .refused, occurredAt: nil,
            validUntil: nil, evidence: nil, now: later.clock.now())
        _ = try await later.storage.stores.consents.append([no], in: later.organization, at: later.clock.now())
        let newer = Archive()
        #expect(try await self.signer(later, newer).begin(sizes(later)) {})
        let note = try #require(newer.note(of: later.organization))
        try await archive.write(note, of: fixture.organization)
        try await signer.holdAll()
        #expect(signer.closedLedgers == [fixture.organization])
        #expect(archive.note(of: fixture.organization) == note)
    }

    @Test("a ledger is closed when its database and the checkpoint there became earlier ones than this process signed")
    func databasePutBack() async throws {
        let fixture = try await JudgedFixture(.restrictive)
        defer { fixture.end() }
        let archive = Archive()
        let signer = signer(fixture, archive)
        #expect(try await signer.begin(sizes(fixture)) {})
        let earlier = try #require(archive.note(of: fixture.organization))
        _ = try await fixture.record(.refused, for: RecipientID("ana@people.example"))
        await signer.signGrown()
        let newest = try #require(archive.note(of: fixture.organization))
        #expect(newest != earlier)
        try await fixture.storage.database.write { writing in
            // The only entry of a consent record is the last one.
            #expect(try writing.db.statement("DELETE FROM ledger_runs WHERE kind = 2").changes() == 1)
            try writing.db.statement("UPDATE ledgers SET checkpoint = ?").run(String(decoding: earlier, as: UTF8.self))
        }
        try await signer.holdAll()
        #expect(signer.closedLedgers == [fixture.organization])
        #expect(archive.note(of: fixture.organization) == newest)
    }

    @Test("a ledger is closed when its database lacks what this process has committed and not signed yet")
    func unsignedPutBack() async throws {
        let fixture = try await JudgedFixture(.restrictive)
        defer { fixture.end() }
        let signer = signer(fixture, Archive())
        #expect(try await signer.begin(sizes(fixture)) {})
        let signed = try await size(of: fixture.organization, fixture)
        _ = try await fixture.record(.refused, for: RecipientID("ana@people.example"))
        try await signer.holdAll()
        #expect(signer.closedLedgers == [], "nothing is missing")
        let deleted = try await fixture.storage.database.write { writing in
            try writing.db.statement("DELETE FROM ledger_runs WHERE kind = 2").changes()
        }
        #expect(deleted == 1)
        try await signer.holdAll()
        #expect(
            signer.reason(for: fixture.organization)
                == LedgerInconsistency(fixture.organization, .missing(signed...signed)))
    }

    @Test("a node keeps what another one has signed, and a new one misses nothing")
    func nodes() async throws {
        let fixture = try await JudgedFixture(.nonRestrictive)
        defer { fixture.end() }
        let (own, others) = (fixture.storage.stores.ledgers, Archive())
        let shared = SQLLedgerStore(
            GuardedDatabase(
                database: NodeDatabase(fixture.storage.database, hasSeveralWriters: true), ledgers: own.ledgers),
            hasher: own.hasher)
        func node(_ archive: Archive) -> CheckpointSigner {
            CheckpointSigner(
                store: shared, seed: SecretBytes([UInt8](repeating: 3, count: 32)), archive: archive,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        }
        let other = node(others)
        _ = try await other.begin(sizes(fixture)) {}
        _ = try await fixture.decide(try RecipientID("ana@people.example"))
        await other.signGrown()

        let archive = Archive()
        let new = node(archive)
        #expect(try await new.begin(sizes(fixture), isNew: true) {})
        #expect(new.metrics.contains { "\($0)".contains("missing_total") && "\($0)".contains("0.0") })
        #expect(archive.note(of: fixture.organization) == others.note(of: fixture.organization))
        _ = try await fixture.decide(try RecipientID("bo@people.example"))
        await other.signGrown()
        _ = try await new.newest(of: fixture.organization)
        #expect(archive.note(of: fixture.organization) == others.note(of: fixture.organization))
        // A node that was there before and has lost what it had says so.
        let emptied = node(Archive())
        _ = try await emptied.begin(sizes(fixture)) {}
        #expect(emptied.metrics.contains { "\($0)".contains("missing_total") && "\($0)".contains("1.0") })
    }

    @Test("a key is verified by the checkpoints that it signed, and by none that it did not or that cannot be read")
    func verification() async throws {
        let fixture = try await JudgedFixture(.restrictive)
        defer { fixture.end() }
        let archive = Archive()
        #expect(try await signer(fixture, archive).begin(sizes(fixture)) {})
        #expect(archive.note(of: fixture.organization) != nil)
        #expect(try await signer(fixture, archive).begin(sizes(fixture)) {})
        #expect(try await !signer(fixture, Archive(isBroken: true)).begin(sizes(fixture)) {})
        // Closed for another reason first: the foreign key must not be taken for the right one all the same.
        fixture.storage.stores.ledgers.close(because: LedgerInconsistency(fixture.organization, .anotherTree(0...0)))
        #expect(try await !signer(fixture, archive, key: 4).begin(sizes(fixture)) {})
        #expect(try await signer(fixture, archive).begin(sizes(fixture)) {})
    }
}
