import Cryptography
import Foundation
import JSON
import Ledger
import LedgerSamples
import Testing

/// `Vectors/ledger-v1.json`, which `check_vectors.py` beside it computes from the specification.
@Suite("The vectors of docs/formats/ledger.md")
struct VectorTests {
    private let document: JSONObject

    init() throws {
        let file = try #require(
            Bundle.module.url(forResource: "Vectors/ledger-v1", withExtension: "json"))
        guard case .object(let object) = try JSONValue.parse(Array(Data(contentsOf: file))) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        document = object
    }

    private func texts(_ name: String) throws -> [[UInt8]] {
        guard case .array(let elements) = document[name] else { throw CocoaError(.fileReadCorruptFile) }
        return elements.compactMap { if case .string(let text) = $0 { Array(text.utf8) } else { nil } }
    }

    private func text(_ name: String, in object: JSONObject? = nil) -> String? {
        guard case .string(let text) = (object ?? document)[name] else { return nil }
        return text
    }

    private func items() throws -> [LedgerItem] {
        guard case .array(let elements) = document["entries"] else { throw CocoaError(.fileReadCorruptFile) }
        return try elements.enumerated().map { index, element in
            guard case .object(let object) = element else { throw CocoaError(.fileReadCorruptFile) }
            var opening: LedgerItem.Opening?
            if let salt = try text("salt", in: object).map({ try Base64.decode($0) as [UInt8] }) {
                let fields = try #require(text("private", in: object))
                guard let salt = Salt(salt.span) else { throw CocoaError(.fileReadCorruptFile) }
                opening = LedgerItem.Opening(salt: salt, fields: Array(fields.utf8))
            }
            let entry = try #require(text("entry", in: object))
            return LedgerItem(leaf: UInt64(index), subject: .event, entry: Array(entry.utf8), opening: opening)
        }
    }

    private func signer() throws -> SignerKey {
        let seed = try Hexadecimal.decode(try #require(text("seed")))
        return try SignerKey(name: KeyName(try #require(text("name"))), seed: SecretBytes(seed))
    }

    @Test("key, checkpoints, proofs and consistency proofs are written as there, byte for byte")
    func written() throws {
        let (signer, items) = (try signer(), try items())
        #expect(signer.verifier.description == text("verifierKey"))
        var hasher = TreeHasher()
        let tree = SampleTree(items.map { hasher.leaf($0.entry) })
        let heads = (0...7).map { tree.head(of: $0, &hasher) }
        #expect(try heads.map { signer.sign($0).bytes } == texts("checkpoints"))
        let note = signer.sign(tree.head).note
        var proofs: [[UInt8]] = []
        for item in items {
            let nodes = try #require(ProofNodes(inclusionOf: item.leaf, inTreeOf: 7))
            let hashes = try #require(nodes.hashes(in: { tree.tiles[$0] }, &hasher))
            let inclusion = InclusionProof(index: item.leaf, hashes: hashes)
            proofs.append(TLogProof(extra: item.extra, inclusion: inclusion, note: note).bytes)
        }
        #expect(try proofs == texts("proofs"))
        var updates: [[UInt8]] = []
        for old in 1...7 as ClosedRange<UInt64> {
            let nodes = try #require(ProofNodes(consistencyFrom: old, to: 7))
            let hashes = try #require(nodes.hashes(in: { tree.tiles[$0] }, &hasher))
            updates.append(CheckpointUpdate(proof: ConsistencyProof(oldSize: old, hashes: hashes), note: note).bytes)
        }
        #expect(try updates == texts("consistency"))
    }

    @Test("proofs are verified, commitments of the vectors included")
    func verified() throws {
        let key = try VerifierKey(try #require(text("verifierKey")))
        for (proof, item) in zip(try texts("proofs"), try items()) {
            let findings = try TLogProof(proof).verify(by: key)
            #expect(findings.entry == item.entry)
            #expect(findings.fields == item.opening?.fields)
        }
    }
}
