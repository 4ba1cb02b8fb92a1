import Cryptography
import Ledger
import Testing

@testable import Console

@Suite struct CheckpointVerdictTests {
    private let signer: SignerKey
    private let old: TreeHead
    private let new: TreeHead
    /// A checkpoint over both entries.
    private let text: String

    private static func leaf(_ byte: UInt8) -> TreeHash {
        var hasher = TreeHasher()
        return hasher.leaf([byte])
    }

    private static func signer(_ name: String, seed: UInt8) throws -> SignerKey {
        try SignerKey(name: KeyName(name), seed: SecretBytes(Array(repeating: seed, count: 32)))
    }

    init() throws {
        signer = try Self.signer("links.example.com/acme", seed: 1)
        var hasher = TreeHasher()
        old = TreeHead(size: 1, root: Self.leaf(1))
        new = TreeHead(size: 2, root: hasher.node(Self.leaf(1), Self.leaf(2)))
        text = String(decoding: signer.sign(new).bytes, as: UTF8.self)
    }

    /// Why a text is no checkpoint of the ledger; `nil` for one that is.
    private func refusal(of text: String) -> CheckpointVerdict? {
        switch CheckpointVerdict.read(text, by: signer.verifier) {
        case .success: nil
        case .failure(let refusal): refusal.verdict
        }
    }

    @Test("a checkpoint is read however its lines end, and with empty lines behind it")
    func lines() throws {
        for shape in [text, String(text.dropLast()), text.replacing("\n", with: "\r\n"), text + "\n\n", text + "\r\n"] {
            #expect(try CheckpointVerdict.read(shape, by: signer.verifier).get().head == new, "\(shape)")
        }
    }

    @Test("what is no whole checkpoint is unreadable")
    func unreadable() {
        let cut = String(text.dropLast(30))
        let unsigned = text.split(separator: "\n").prefix(3).joined(separator: "\n")
        for other in ["", "\n", "x", cut, unsigned, text.replacing("\n", with: "\u{2028}"), "\u{0}", text + "more"] {
            #expect(refusal(of: other) == .unreadable, "\(other)")
        }
    }

    @Test("another ledger's checkpoint is named by its ledger")
    func otherLedger() throws {
        let other = try Self.signer("links.example.com/other", seed: 1)
        let foreign = String(decoding: other.sign(new).bytes, as: UTF8.self)
        #expect(refusal(of: foreign) == .otherLedger("links.example.com/other"))
    }

    @Test("a text that this ledger's key did not sign is forged")
    func forged() throws {
        #expect(refusal(of: text.replacing("\n2\n", with: "\n1\n")) == .forged)
        let impostor = try Self.signer("links.example.com/acme", seed: 2)
        #expect(refusal(of: String(decoding: impostor.sign(new).bytes, as: UTF8.self)) == .forged)
    }

    @Test("no bit of it can be changed")
    func flipped() {
        for (place, bit) in text.utf8.indices.flatMap({ place in (0..<8).map { (place, $0) } }) {
            var bytes = Array(text.utf8)
            bytes[text.utf8.distance(from: text.utf8.startIndex, to: place)] ^= 1 << UInt8(bit)
            guard let changed = String(validating: bytes, as: UTF8.self) else { continue }
            // The line's end may come as another one; it says the same.
            guard changed.replacing("\r", with: "\n") != text else { continue }
            #expect(refusal(of: changed) != nil, "\(changed)")
        }
    }

    @Test("a ledger that begins with the checkpoint's entries continues it")
    func continues() {
        let proof = ConsistencyProof(oldSize: 1, hashes: [Self.leaf(2)])
        #expect(CheckpointVerdict.compare(old, with: new, proof) == .continues(old))
        #expect(CheckpointVerdict.compare(new, with: new, ConsistencyProof(oldSize: 2, hashes: [])) == .continues(new))
        let nothing = TreeHead(size: 0, root: Self.leaf(9))
        #expect(CheckpointVerdict.compare(nothing, with: new, nil) == .continues(nothing))
    }

    @Test("a ledger with fewer entries than the checkpoint lacks some")
    func ahead() {
        #expect(CheckpointVerdict.compare(new, with: old, nil) == .ahead(new))
        let proof = ConsistencyProof(oldSize: 1, hashes: [Self.leaf(2)])
        #expect(CheckpointVerdict.compare(new, with: old, proof) == .ahead(new))
    }

    @Test("a ledger without a proof that fits was changed")
    func departs() {
        let changed = TreeHead(size: 1, root: Self.leaf(3))
        let proof = ConsistencyProof(oldSize: 1, hashes: [Self.leaf(2)])
        #expect(CheckpointVerdict.compare(changed, with: new, proof) == .departs(changed))
        for other in [
            nil, ConsistencyProof(oldSize: 1, hashes: []), ConsistencyProof(oldSize: 1, hashes: [Self.leaf(3)]),
            ConsistencyProof(oldSize: 2, hashes: [Self.leaf(2)]),
        ] {
            #expect(CheckpointVerdict.compare(old, with: new, other) == .departs(old))
        }
    }
}
