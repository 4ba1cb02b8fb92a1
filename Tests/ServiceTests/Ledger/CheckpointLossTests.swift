import Consent
import Cryptography
import Foundation
import Identifiers
import Ledger
import StorageContracts
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import SQLStorage
@testable import SQLiteStorage
@testable import Service

/// What is done to the checkpoint beside a ledger, or to the ledger beside its checkpoint, with the real files of both.
@Suite struct CheckpointLossTests {
    /// The files, with somebody who comes between the writing of a checkpoint and what follows.
    private struct Interrupted: CheckpointArchive {
        let files: CheckpointFiles
        let onWrite: @Sendable () async -> Void

        func read(of organization: OrganizationID) async throws(CheckpointArchiveFailure) -> [UInt8]? {
            try await files.read(of: organization)
        }

        func write(_ note: [UInt8], of organization: OrganizationID) async throws(CheckpointArchiveFailure) {
            try await files.write(note, of: organization)
            await onWrite()
        }

        func mayHaveHad(_ organization: OrganizationID) async throws(CheckpointArchiveFailure) -> Bool {
            try await files.mayHaveHad(organization)
        }

        func remember(_ organizations: Set<OrganizationID>) async throws(CheckpointArchiveFailure) {
            try await files.remember(organizations)
        }
    }

    private let log = CapturedLog()

    private func withLedger(_ body: (JudgedFixture, CheckpointFiles) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let fixture = try await JudgedFixture(.nonRestrictive)
            defer { fixture.end() }
            try await body(fixture, CheckpointFiles(folder: folder.path))
        }
    }

    private func signer(_ fixture: JudgedFixture, _ archive: any CheckpointArchive) -> CheckpointSigner {
        CheckpointSigner(store: fixture.storage.stores.ledgers, seed: Self.seed, archive: archive, logger: log.logger)
    }

    private static let seed = SecretBytes([UInt8](repeating: 3, count: 32))

    /// Starts a signer as a process does.
    /// - Returns: it, and whether all checkpoints are its own.
    private func begin(
        _ fixture: JudgedFixture, _ archive: any CheckpointArchive
    ) async throws -> (CheckpointSigner, isVerified: Bool) {
        let signer = signer(fixture, archive)
        let ids = try await fixture.storage.stores.ledgers.begin(at: fixture.clock.now())
        #expect(ids == [fixture.organization])
        return (signer, try await signer.begin([fixture.organization: try await size(fixture)]) {})
    }

    private func size(_ fixture: JudgedFixture) async throws -> UInt64 {
        try #require(try await fixture.storage.stores.ledgers.head(of: fixture.organization)).head.size
    }

    private func grow(_ fixture: JudgedFixture, _ name: String) async throws {
        _ = try await fixture.decide(try RecipientID("\(name)@people.example"))
    }

    /// Signs another head than the ledger's with the ledger's own key.
    private func forge(_ fixture: JudgedFixture, size: UInt64, root: TreeHash) async throws -> [UInt8] {
        let origin = try #require(try await fixture.storage.stores.ledgers.origin(of: fixture.organization))
        return try SignerKey(name: KeyName(origin), seed: Self.seed).sign(TreeHead(size: size, root: root)).bytes
    }

    @Test("a checkpoint that is gone is told, counted and written again")
    func missing() async throws {
        try await withLedger { fixture, files in
            try await grow(fixture, "ana")
            _ = try await begin(fixture, files)
            let note = try #require(try await files.read(of: fixture.organization))
            try FileManager.default.removeItem(atPath: "\(files.folder)/acme.txt")
            let (signer, isVerified) = try await begin(fixture, files)
            #expect(isVerified, "the one in the database is this key's")
            #expect(try await files.read(of: fixture.organization) == note)
            #expect(signer.metrics.contains { "\($0)".contains("missing_total") && "\($0)".contains("1.0") })
            #expect(
                log.lines.contains {
                    $0.message.contains("moved away or lost") && $0.metadata["organization"] == "acme"
                })
        }
    }

    @Test("a checkpoint of another tree, signed with the right key, closes the ledger and stays as evidence")
    func anotherTree() async throws {
        try await withLedger { fixture, files in
            try await grow(fixture, "ana")
            _ = try await begin(fixture, files)
            let forged = try await forge(fixture, size: size(fixture), root: TreeHash(.init(repeating: 7)))
            try await files.write(forged, of: fixture.organization)
            let (signer, _) = try await begin(fixture, files)
            #expect(signer.reason(for: fixture.organization) != nil)
            #expect(signer.reasonsNotReady.count == 1)
            #expect(try await files.read(of: fixture.organization) == forged)
            await #expect(throws: LedgerInconsistency.self) { try await signer.checkpoint(of: fixture.organization) }
        }
    }

    @Test("a checkpoint of more entries than there are names those that are missing")
    func largerThanTheLedger() async throws {
        try await withLedger { fixture, files in
            try await grow(fixture, "ana")
            _ = try await begin(fixture, files)
            let size = try await size(fixture)
            let later = try await forge(fixture, size: size + 3, root: TreeHash(.init(repeating: 7)))
            try await files.write(later, of: fixture.organization)
            let (signer, _) = try await begin(fixture, files)
            #expect(signer.reason(for: fixture.organization)?.finding == .missing(size...(size + 2)))
            #expect(try await files.read(of: fixture.organization) == later)
        }
    }

    @Test("a single entry that was appended after an orderly stop closes the ledger, and none does not")
    func appendedAfterStop() async throws {
        try await withLedger { fixture, files in
            try await grow(fixture, "ana")
            _ = try await begin(fixture, files)
            let whole = try await size(fixture)
            let unchanged = signer(fixture, files)
            #expect(try await unchanged.begin([fixture.organization: whole], whole: [fixture.organization: whole]) {})
            #expect(unchanged.reason(for: fixture.organization) == nil)
            let no = try NewConsentRecord(
                recipient: RecipientID("ben@people.example"), purpose: .tracking, state: .refused, occurredAt: nil,
                validUntil: nil, evidence: nil, now: fixture.clock.now())
            _ = try await fixture.storage.stores.consents.append(
                [no], in: fixture.organization, at: fixture.clock.now())
            let size = try await size(fixture)
            try #require(size == whole + 1)
            let changed = signer(fixture, files)
            _ = try await changed.begin([fixture.organization: size], whole: [fixture.organization: whole]) {}
            #expect(changed.reason(for: fixture.organization)?.finding == .appended(whole...whole))
        }
    }

    @Test("an older checkpoint that was put back is continued, and the newer one in the database is not forgotten")
    func older() async throws {
        try await withLedger { fixture, files in
            try await grow(fixture, "ana")
            _ = try await begin(fixture, files)
            let old = try #require(try await files.read(of: fixture.organization))
            try await grow(fixture, "bo")
            let (first, _) = try await begin(fixture, files)
            let newest = try await first.newest(of: fixture.organization)
            try await files.write(old, of: fixture.organization)
            let (second, isVerified) = try await begin(fixture, files)
            #expect(isVerified && second.reasonsNotReady == [])
            #expect(try await second.newest(of: fixture.organization).head == newest.head)
            try await grow(fixture, "cy")
            await second.signGrown()
            let signed = try await second.newest(of: fixture.organization)
            #expect(try await files.read(of: fixture.organization) == signed.bytes)
            #expect(signed.head.size == newest.head.size + 1)
        }
    }

    @Test("a checkpoint that was cut, emptied or is another organization's closes the ledger", arguments: [0, 1, 40])
    func unreadable(_ length: Int) async throws {
        try await withLedger { fixture, files in
            try await grow(fixture, "ana")
            _ = try await begin(fixture, files)
            let note = try #require(try await files.read(of: fixture.organization))
            let cut =
                length == 1
                ? Array(String(decoding: note, as: UTF8.self).replacing("/acme", with: "/bcme").utf8)
                : Array(note.prefix(length))
            #expect(cut != note)
            try await files.write(cut, of: fixture.organization)
            let (signer, isVerified) = try await begin(fixture, files)
            #expect(!isVerified, "the key is not noted as the right one")
            #expect(signer.reason(for: fixture.organization)?.finding == .checkpoint)
            #expect(try await files.read(of: fixture.organization) == cut)
        }
    }

    @Test("of two signers that sign at once one is told that the other was first, and comes to what covers both")
    func overtaken() async throws {
        try await withLedger { fixture, files in
            try await grow(fixture, "ana")
            _ = try await begin(fixture, files)
            let (other, _) = try await begin(fixture, files)
            let isFirst = Mutex(true)
            let archive = Interrupted(files: files) {
                guard
                    isFirst.withLock({ first in
                        defer { first = false }; return first
                    })
                else { return }
                // The ledger grows, and the other signs that before this one has kept its own.
                _ = try? await grow(fixture, "cy")
                _ = try? await other.checkpoint(of: fixture.organization)
            }
            let (signer, _) = try await begin(fixture, archive)
            try await grow(fixture, "bo")
            let signed = try await signer.checkpoint(of: fixture.organization)
            let size = try await size(fixture)
            #expect(signed.head.size == size)
            let kept = try await fixture.storage.stores.ledgers.checkpoint(of: fixture.organization)
            let otherSigned = try await other.newest(of: fixture.organization)
            #expect(kept.map { Array($0.utf8) } == signed.bytes && otherSigned.head == signed.head)
            #expect(signer.reasonsNotReady == [] && other.reasonsNotReady == [])
        }
    }

    @Test("a service signs what a ledger grows by, without being asked, until it ends")
    func service() async throws {
        try await withLedger { fixture, files in
            let (written, write) = AsyncStream.makeStream(of: Void.self)
            let (signer, _) = try await begin(fixture, Interrupted(files: files) { write.yield() })
            let running = Task { await SignerService(signer: signer).run() }
            var writes = written.makeAsyncIterator()
            // The first is that of the start.
            _ = await writes.next()
            try await grow(fixture, "ana")
            _ = await writes.next()
            running.cancel()
            await running.value
            #expect(try await signer.newest(of: fixture.organization).head.size == size(fixture))
        }
    }
}
