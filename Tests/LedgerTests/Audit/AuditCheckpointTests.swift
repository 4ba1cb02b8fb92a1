import Consent
import Identifiers
import LedgerSamples
import Testing

@testable import Ledger

@Suite("Checkpoints of audit exports")
struct AuditCheckpointTests {
    @Test("a checkpoint that another key signed is refused, and one whose root was changed")
    func forged() throws {
        let ledger = try SampleLedger(20)
        let other = try someSigner(seed: 99)
        #expect(
            try ledger.fault(in: ledger.export(checkpoint: other.sign(ledger.tree.head)))
                == .checkpoint(.notSigned(by: ledger.signer.verifier.name)))

        let elsewhere = try someSigner("links.example.com/other")
        #expect(
            try ledger.fault(in: ledger.export(checkpoint: elsewhere.sign(ledger.tree.head)))
                == .checkpoint(.notSigned(by: ledger.signer.verifier.name)))

        let head = TreeHead(size: 20, root: ledger.tree.head.root.changed())
        let note = try SignedNote(
            text: Checkpoint(origin: ledger.signer.verifier.name, head: head).text,
            signatures: ledger.checkpoint.note.signatures)
        var writer = Substitution(try ledger.export())
        writer.replace(ledger.checkpoint.bytes, with: note.bytes)
        #expect(ledger.fault(in: writer.bytes) == .checkpoint(.forged(ledger.signer.verifier.name)))
    }

    @Test("a checkpoint of another tree that the key did sign does not fit the tiles", arguments: [3, 20, 300])
    func anotherTree(count: Int) throws {
        let ledger = try SampleLedger(count)
        let head = TreeHead(size: UInt64(count), root: ledger.tree.head.root.changed())
        let last = count < 256 ? 0...UInt64(count - 1) : 256...UInt64(count - 1)
        #expect(try ledger.fault(in: ledger.export(checkpoint: ledger.signer.sign(head))) == .root(last: last))
    }

    @Test("a checkpoint older than the auditor's is a replay, one as large with another root a fork")
    func replayed() throws {
        let (older, newer) = (try SampleLedger(290), try SampleLedger(300))
        #expect(older.fault(in: try older.export(), since: newer.checkpoint) == .replayed(size: 290, held: 300))
        #expect(newer.fault(in: try newer.export(), since: newer.checkpoint) == nil)
        let fork = try SampleLedger(300, seed: 2)
        #expect(fork.fault(in: try fork.export(), since: newer.checkpoint) == .forked(size: 300))
    }

    @Test("a whole export shows itself that it continues an earlier checkpoint", arguments: [0, 1, 17, 256, 299])
    func continues(size: Int) throws {
        let (older, newer) = (try SampleLedger(size), try SampleLedger(300))
        #expect(try newer.verify(newer.export(), since: older.checkpoint).since == UInt64(size))
        guard size > 0 else { return }
        let fork = try SampleLedger(size, seed: 2)
        #expect(
            newer.fault(in: try newer.export(), since: fork.checkpoint) == .inconsistent(held: UInt64(size), size: 300))
    }

    @Test("a filtered export does so with a consistency proof, and not without")
    func filtered() throws {
        let (older, newer) = (try SampleLedger(299), try SampleLedger(700))
        let filters = AuditFilters(recipient: try RecipientID("person-600@example.com"))
        let items = try newer.items().filter { $0.leaf == 604 }
        let proof = try newer.consistency(from: 299)
        let findings = try newer.verify(
            newer.export(items, filters: filters, consistency: proof), since: older.checkpoint)
        #expect(findings.since == 299)
        #expect(findings.filters == filters)
        #expect(findings.counts.entries == 1)

        let without = try newer.export(items, filters: filters)
        #expect(newer.fault(in: without, since: older.checkpoint) == .noConsistencyProof(held: 299))
        #expect(newer.fault(in: without) == nil)

        let fork = try SampleLedger(299, seed: 2)
        let with = try newer.export(items, filters: filters, consistency: proof)
        #expect(newer.fault(in: with, since: fork.checkpoint) == .inconsistent(held: 299, size: 700))
        let another = try SampleLedger(298)
        #expect(newer.fault(in: with, since: another.checkpoint) == .noConsistencyProof(held: 298))
    }

    @Test("a consistency proof is refused if it does not lead to the export's tree, also without the old root")
    func wrongProof() throws {
        let ledger = try SampleLedger(700)
        let filters = AuditFilters(recipient: try RecipientID("person-600@example.com"))
        let items = try ledger.items().filter { $0.leaf == 604 }
        let hashes = try #require(try ledger.consistency(from: 299)).hashes
        func fault(_ hashes: [TreeHash]) throws -> AuditFault? {
            let proof = ConsistencyProof(oldSize: 299, hashes: hashes)
            return try ledger.fault(in: ledger.export(items, filters: filters, consistency: proof))
        }
        #expect(try fault(hashes) == nil)
        for index in hashes.indices {
            var changed = hashes
            changed[index] = changed[index].changed()
            #expect(try fault(changed) == .consistency(old: 299, size: 700))
        }
        #expect(try fault(hashes.dropLast()) == .consistency(old: 299, size: 700))
        #expect(try fault(hashes + hashes.suffix(1)) == .consistency(old: 299, size: 700))
    }

    @Test("what a filtered export has is proved: a field changed names the entry")
    func filteredChanged() throws {
        var ledger = try SampleLedger(700)
        let filters = AuditFilters(recipient: try RecipientID("person-600@example.com"))
        ledger.rows[600].reason = .notOptedOut
        let items = try ledger.items().filter { $0.leaf == 604 }
        let fault = try #require(ledger.fault(in: ledger.export(items, filters: filters)))
        #expect(fault.entry?.index == 604)
    }

    @Test("an entry without its tile is not proved")
    func withoutTile() throws {
        let ledger = try SampleLedger(700)
        let filters = AuditFilters(recipient: try RecipientID("person-1@example.com"))
        let items = try ledger.items().filter { $0.leaf == 5 }
        let unfinished = AuditTiles.some([], inTreeOf: 700).compactMap { ledger.tree.tiles[$0] }
        let fault = try #require(ledger.fault(in: ledger.export(items, tiles: unfinished, filters: filters)))
        #expect(fault.entry?.fault == .noTile)
    }

    @Test("the consistency proof must be of the export's own checkpoint")
    func foreignProof() throws {
        let (older, newer) = (try SampleLedger(100), try SampleLedger(300))
        let proof = try newer.consistency(from: 100)
        let bytes = try newer.export(consistency: proof)
        let own = CheckpointUpdate(proof: try #require(proof), note: newer.checkpoint.note).bytes
        let head = TreeHead(size: 300, root: newer.tree.head.root.changed())
        let foreign = CheckpointUpdate(proof: try #require(proof), note: newer.signer.sign(head).note).bytes
        var changed = Substitution(bytes)
        changed.replace(own, with: foreign)
        guard case .proof = newer.fault(in: changed.bytes, since: older.checkpoint) else {
            Issue.record("it was taken")
            return
        }
    }
}

/// Bytes exchanged in a file of an export, for as many others.
struct Substitution {
    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func replace(_ old: [UInt8], with new: [UInt8]) {
        precondition(old.count == new.count)
        guard let place = bytes.firstRange(of: old) else { preconditionFailure("there is nothing to replace") }
        bytes.replaceSubrange(place, with: new)
    }
}
