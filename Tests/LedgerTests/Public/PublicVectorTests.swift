import Cryptography
import JSON
import Ledger
import Testing

@Suite("Published vectors", .enabled(if: PublicVectors.folder != nil))
struct PublicVectorTests {
    @Test("transparency-dev/merkle: inclusion")
    func inclusion() throws {
        let cases = PublicVectors.cases("merkle/testdata/inclusion")
        #expect(cases.count == 98)
        var hasher = TreeHasher()
        for (name, fields) in cases {
            let (index, size) = (try #require(fields.number("leafIdx")), try #require(fields.number("treeSize")))
            var holds = false
            if let leaf = fields.treeHash("leafHash"), let root = fields.treeHash("root"), let proof = fields.proof {
                holds = InclusionProof(index: index, hashes: proof).holds(
                    for: leaf, in: TreeHead(size: size, root: root), &hasher)
            }
            #expect(holds != fields.isRefused, "\(name)")
        }
    }

    @Test("transparency-dev/merkle: consistency")
    func consistency() throws {
        let cases = PublicVectors.cases("merkle/testdata/consistency")
        #expect(cases.count == 98)
        var hasher = TreeHasher()
        for (name, fields) in cases {
            let (old, new) = (try #require(fields.number("size1")), try #require(fields.number("size2")))
            var holds = false
            if let root1 = fields.treeHash("root1"), let root2 = fields.treeHash("root2"), let proof = fields.proof {
                holds = ConsistencyProof(oldSize: old, hashes: proof).holds(
                    from: TreeHead(size: old, root: root1), to: TreeHead(size: new, root: root2), &hasher)
            }
            #expect(holds != fields.isRefused, "\(name)")
        }
    }

    @Test("Tessera's log: checkpoints, tiles and bundles of each size, and proofs between them", arguments: 1...15)
    func tessera(size: Int) throws {
        let log = "tessera/testdata/log"
        let key = try VerifierKey("example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx")
        let bytes = try PublicVectors.bytes("\(log)/checkpoint.\(size)")
        let signed = try SignedCheckpoint(bytes, by: key)
        #expect(signed.bytes == bytes)
        #expect(signed.head.size == UInt64(size))

        let place = TileID(level: 0, index: 0)
        let path = TilePath(.hashes(level: 0), index: 0, width: size)
        let tile = try #require(Tile(place, bytes: PublicVectors.bytes("\(log)/\(path)")))
        #expect(tile.path == path)
        let entries = TilePath(.entries, index: 0, width: size)
        let bundle = try PublicVectors.entries(PublicVectors.bytes("\(log)/\(entries)"))
        #expect(bundle.count == size)

        var hasher = TreeHasher()
        var frontier = TreeFrontier()
        for (index, entry) in bundle.enumerated() {
            let leaf = hasher.leaf(entry)
            #expect(leaf == tile.hashes[index])
            _ = frontier.append(leaf, &hasher)
            let nodes = try #require(ProofNodes(inclusionOf: UInt64(index), inTreeOf: UInt64(size)))
            let hashes = try #require(nodes.hashes(in: { $0 == place ? tile : nil }, &hasher))
            let holds = InclusionProof(index: UInt64(index), hashes: hashes).holds(for: leaf, in: signed.head, &hasher)
            #expect(holds)
        }
        let head = frontier.head(&hasher)
        #expect(head == signed.head)

        for old in 1...size {
            let earlier = try SignedCheckpoint(PublicVectors.bytes("\(log)/checkpoint.\(old)"), by: key)
            let nodes = try #require(ProofNodes(consistencyFrom: UInt64(old), to: UInt64(size)))
            let hashes = try #require(nodes.hashes(in: { $0 == place ? tile : nil }, &hasher))
            let proof = ConsistencyProof(oldSize: UInt64(old), hashes: hashes)
            let holds = proof.holds(from: earlier.head, to: signed.head, &hasher)
            #expect(holds)
        }
    }

    @Test("Wycheproof: what is no signature of Ed25519 is none, and what is one is")
    func wycheproof() throws {
        let bytes = try PublicVectors.bytes("wycheproof/testvectors_v1/ed25519_test.json")
        guard case .object(let document) = try JSONValue.parse(bytes), case .array(let groups) = document["testGroups"]
        else {
            Issue.record("it is no file of Wycheproof's")
            return
        }
        var count: UInt64 = 0
        for case .object(let group) in groups {
            guard case .object(let pair) = group["publicKey"], case .array(let tests) = group["tests"] else {
                Issue.record("a group without a key")
                continue
            }
            let encoded = try hexadecimal(pair["pk"])
            let decoded = Ed25519PublicKey(encoded.span)
            let key = try #require(decoded)
            for case .object(let test) in tests {
                let (signature, message) = (try hexadecimal(test["sig"]), try hexadecimal(test["msg"]))
                let holds = key.verifies(signature.span, of: message.span)
                #expect(holds == (test["result"] == .string("valid")), "case \(test.number("tcId") ?? 0)")
                count += 1
            }
        }
        #expect(count == document.number("numberOfTests"))
    }

    private func hexadecimal(_ value: JSONValue?) throws -> [UInt8] {
        guard case .string(let text) = value else { throw CryptographyError.hexadecimal }
        return try Hexadecimal.decode(text)
    }
}
