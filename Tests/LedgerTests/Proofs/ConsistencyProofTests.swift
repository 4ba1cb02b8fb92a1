import Ledger
import LedgerSamples
import Testing

/// SUBPROOF of RFC 6962, 2.1.2, as the RFC defines it.
private func definedProof(
    from old: Int, in leaves: ArraySlice<TreeHash>, isWhole: Bool = true, _ hasher: inout TreeHasher
) -> [TreeHash] {
    guard old < leaves.count else { return isWhole ? [] : [definedRoot(of: leaves, &hasher)] }
    var split = 1
    while split * 2 < leaves.count { split *= 2 }
    let middle = leaves.startIndex + split
    if old <= split {
        return definedProof(from: old, in: leaves[..<middle], isWhole: isWhole, &hasher)
            + [definedRoot(of: leaves[middle...], &hasher)]
    }
    return definedProof(from: old - split, in: leaves[middle...], isWhole: false, &hasher)
        + [definedRoot(of: leaves[..<middle], &hasher)]
}

@Suite("Consistency proofs")
struct ConsistencyProofTests {
    static let sizes: [(old: Int, new: Int)] =
        (1...40).flatMap { new in (1...new).map { ($0, new) } }
        + [(255, 700), (256, 700), (257, 700), (512, 700), (513, 700), (699, 700), (256, 512), (256, 257)]

    @Test("are those that the RFC defines, made of tiles, and hold")
    func defined() throws {
        let tree = SampleTree(700)
        var hasher = TreeHasher()
        for (old, new) in Self.sizes {
            let nodes = try #require(ProofNodes(consistencyFrom: UInt64(old), to: UInt64(new)))
            let hashes = nodes.hashes(in: { tree.tiles[$0] }, &hasher)
            let defined = definedProof(from: old, in: tree.leaves[..<new], &hasher)
            #expect(hashes == defined, "\(old) to \(new)")
            let heads = (tree.head(of: old, &hasher), tree.head(of: new, &hasher))
            let holds = ConsistencyProof(oldSize: UInt64(old), hashes: defined).holds(
                from: heads.0, to: heads.1, &hasher)
            #expect(holds, "\(old) to \(new)")
        }
    }

    @Test("hold for nothing else", arguments: [(1, 1), (1, 2), (2, 2), (3, 7), (4, 8), (6, 8), (7, 8), (21, 33)])
    func negatives(old: Int, new: Int) {
        var hasher = TreeHasher()
        let tree = SampleTree(new)
        let (oldHead, newHead) = (tree.head(of: old, &hasher), tree.head)
        let hashes = definedProof(from: old, in: tree.leaves[...], &hasher)
        let proof = ConsistencyProof(oldSize: oldHead.size, hashes: hashes)
        func with(_ hashes: [TreeHash]) -> ConsistencyProof { ConsistencyProof(oldSize: oldHead.size, hashes: hashes) }
        func sized(_ size: UInt64, _ head: TreeHead) -> TreeHead { TreeHead(size: size, root: head.root) }
        var wrong: [(String, ConsistencyProof, TreeHead, TreeHead)] = [
            ("a hash more at the end", with(hashes + [newHead.root]), oldHead, newHead),
            ("a hash more at the start", with([oldHead.root] + hashes), oldHead, newHead),
            ("another old root", proof, TreeHead(size: oldHead.size, root: oldHead.root.changed()), newHead),
            ("another new root", proof, oldHead, TreeHead(size: newHead.size, root: newHead.root.changed())),
            ("another old size", proof, sized(oldHead.size + 1, oldHead), newHead),
            ("a new tree that is smaller", proof, oldHead, sized(oldHead.size - 1, newHead)),
            ("an old tree without entries", ConsistencyProof(oldSize: 0, hashes: hashes), sized(0, oldHead), newHead),
        ]
        for changed in hashes.indices {
            var hashes = hashes
            hashes[changed] = hashes[changed].changed()
            wrong.append(("hash \(changed)", with(hashes), oldHead, newHead))
        }
        if !hashes.isEmpty {
            wrong.append(("cut at the end", with(hashes.dropLast()), oldHead, newHead))
            wrong.append(("cut at the start", with(Array(hashes.dropFirst())), oldHead, newHead))
            wrong.append(("nothing", with([]), oldHead, newHead))
        }
        if old < new {
            wrong.append(("the new tree for the old one", proof, sized(oldHead.size, newHead), newHead))
            wrong.append(("equal sizes", proof, oldHead, sized(oldHead.size, newHead)))
        }
        for (what, proof, oldHead, newHead) in wrong {
            let holds = proof.holds(from: oldHead, to: newHead, &hasher)
            #expect(!holds, "\(old) to \(new): \(what)")
        }
    }

    @Test("from a larger tree to a smaller one are not planned, from an empty one they are empty")
    func edges() throws {
        #expect(ProofNodes(consistencyFrom: 8, to: 7) == nil)
        var hasher = TreeHasher()
        let empty = try #require(ProofNodes(consistencyFrom: 0, to: 7)).hashes(in: { _ in nil }, &hasher)
        #expect(empty == [])
    }

    @Test("an earlier root comes from the tiles of a larger tree", arguments: [1, 2, 255, 256, 257, 513, 699, 700])
    func earlierRoot(size: Int) throws {
        let tree = SampleTree(700)
        var hasher = TreeHasher()
        let nodes = try #require(ProofNodes(rootOf: UInt64(size), inTreeOf: 700))
        let root = nodes.hashes(in: { tree.tiles[$0] }, &hasher)
        #expect(root == [tree.head(of: size, &hasher).root])
    }

    @Test("with its checkpoint it is text, of which no other is read")
    func text() throws {
        let signed = try someSigner().sign(TreeHead(size: 9, root: someLeaves(1)[0]))
        let update = CheckpointUpdate(proof: ConsistencyProof(oldSize: 3, hashes: someLeaves(3)), note: signed.note)
        #expect(try CheckpointUpdate(update.bytes) == update)
        let text = String(decoding: update.bytes, as: UTF8.self)
        #expect(text.hasPrefix("old 3\n"))
        for wrong in [
            text.replacing("old 3", with: "old 03"), text.replacing("old 3", with: "new 3"),
            text.replacing("old 3", with: "old  3"), text.replacing("=\n\n", with: "=\n", maxReplacements: 1),
            "\n" + text, text + "\n", String(text.dropLast()),
        ] {
            #expect(throws: LedgerError.self) { try CheckpointUpdate(Array(wrong.utf8)) }
        }
    }
}
