import Ledger
import LedgerSamples
import Testing

@Suite("tlog-proof")
struct TLogProofTests {
    private func sample(extra: String? = "hello") throws -> TLogProof {
        let tree = SampleTree(7)
        var hasher = TreeHasher()
        let nodes = try #require(ProofNodes(inclusionOf: 5, inTreeOf: 7))
        let hashes = try #require(nodes.hashes(in: { tree.tiles[$0] }, &hasher))
        return TLogProof(
            extra: extra.map { Array($0.utf8) }, inclusion: InclusionProof(index: 5, hashes: hashes),
            note: try someSigner().sign(tree.head).note)
    }

    @Test("comes back from its text and holds", arguments: ["hello", "", nil])
    func comesBack(extra: String?) throws {
        let proof = try sample(extra: extra)
        let read = try TLogProof(proof.bytes)
        #expect(read == proof)
        let checkpoint = try SignedCheckpoint(read.note, by: someSigner().verifier)
        var hasher = TreeHasher()
        let holds = read.inclusion.holds(for: someLeaves(6)[5], in: checkpoint.head, &hasher)
        #expect(holds)
    }

    @Test("has the lines of C2SP tlog-proof")
    func lines() throws {
        let lines = try String(decoding: sample().bytes, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0] == "c2sp.org/tlog-proof@v1")
        #expect(lines[1] == "extra aGVsbG8=")
        #expect(lines[2] == "index 5")
        #expect(lines[3...5].allSatisfy { $0.utf8.count == 44 })
        #expect(lines[6] == "")
        #expect(lines[7...8] == ["links.example.com/acme", "7"])
    }

    @Test("no other text is read")
    func refused() throws {
        let text = try String(decoding: sample().bytes, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        func edited(_ edit: (inout [String]) -> Void) -> String {
            var edited = lines
            edit(&edited)
            return edited.joined(separator: "\n")
        }
        let wrong = [
            "", "c2sp.org/tlog-proof@v1", edited { $0[0] = "c2sp.org/tlog-proof@v2" }, edited { $0[0] += " " },
            edited { $0[1] = "extra aGVsbG8" }, edited { $0[1] = "extra  aGVsbG8=" }, edited { $0.swapAt(1, 2) },
            edited { $0[2] = "index 05" }, edited { $0[2] = "index -5" },
            edited { $0[2] = "index 18446744073709551616" },
            edited { $0[2] = "index +5" }, edited { $0[2] = "index " }, edited { $0[3].removeLast() },
            edited { $0[3] = "AAAA" }, edited { $0.remove(at: 6) }, edited { $0.insert("", at: 3) },
            edited { $0.insert(contentsOf: repeatElement($0[3], count: 129), at: 3) }, text + "\n",
            text.replacing("\n", with: "\r\n"), String(text.dropLast()),
        ]
        for (place, wrong) in wrong.enumerated() {
            #expect(throws: LedgerError.self, "text \(place)") { try TLogProof(Array(wrong.utf8)) }
        }
    }

    @Test("more than a proof can be is not looked at")
    func tooLong() {
        let bytes = [UInt8](repeating: 0x41, count: TLogProof.maximumLength + 1)
        #expect(throws: LedgerError.self) { try TLogProof(bytes) }
    }
}
