import Ledger
import LedgerSamples
import Testing

/// PATH of RFC 6962, 2.1.1, as the RFC defines it.
func definedPath(of index: Int, in leaves: ArraySlice<TreeHash>, _ hasher: inout TreeHasher) -> [TreeHash] {
    guard leaves.count > 1 else { return [] }
    var split = 1
    while split * 2 < leaves.count { split *= 2 }
    let middle = leaves.startIndex + split
    if index < split {
        return definedPath(of: index, in: leaves[..<middle], &hasher) + [definedRoot(of: leaves[middle...], &hasher)]
    }
    return definedPath(of: index - split, in: leaves[middle...], &hasher)
        + [definedRoot(of: leaves[..<middle], &hasher)]
}

@Suite("Inclusion proofs")
struct InclusionProofTests {
    /// Every entry of every tree up to 70, some of larger ones.
    static let places: [(index: Int, size: Int)] =
        (1...70).flatMap { size in (0..<size).map { ($0, size) } }
        + [256, 257, 511, 513, 700].flatMap { size in [0, 1, 255, size / 2, size - 2, size - 1].map { ($0, size) } }

    @Test("are those that the RFC defines, made of tiles, and hold")
    func defined() throws {
        let tree = SampleTree(700)
        var hasher = TreeHasher()
        for (index, size) in Self.places {
            let nodes = try #require(ProofNodes(inclusionOf: UInt64(index), inTreeOf: UInt64(size)))
            let hashes = nodes.hashes(in: { tree.tiles[$0] }, &hasher)
            let defined = definedPath(of: index, in: tree.leaves[..<size], &hasher)
            #expect(hashes == defined, "\(index) in \(size)")
            let head = tree.head(of: size, &hasher)
            let proof = InclusionProof(index: UInt64(index), hashes: defined)
            let holds = proof.holds(for: tree.leaves[index], in: head, &hasher)
            #expect(holds, "\(index) in \(size)")
        }
    }

    @Test("hold for nothing else", arguments: [1, 2, 3, 7, 8, 11, 33])
    func negatives(size: Int) {
        var hasher = TreeHasher()
        let leaves = someLeaves(size)
        let head = TreeHead(size: UInt64(size), root: definedRoot(of: leaves[...], &hasher))
        for index in 0..<size {
            let path = definedPath(of: index, in: leaves[...], &hasher)
            let leaf = leaves[index]
            let place = UInt64(index)
            var wrong: [(String, InclusionProof, TreeHash, TreeHead)] = [
                ("another leaf", InclusionProof(index: place, hashes: path), leaf.changed(), head),
                (
                    "another root", InclusionProof(index: place, hashes: path), leaf,
                    TreeHead(size: head.size, root: head.root.changed())
                ),
                ("a hash more at the end", InclusionProof(index: place, hashes: path + [head.root]), leaf, head),
                ("a hash more at the start", InclusionProof(index: place, hashes: [leaf] + path), leaf, head),
                ("index is size", InclusionProof(index: head.size, hashes: path), leaf, head),
                (
                    "a tree without entries", InclusionProof(index: place, hashes: path), leaf,
                    TreeHead(size: 0, root: head.root)
                ),
            ]
            for other in 0..<size where other != index {
                wrong.append(("place \(other)", InclusionProof(index: UInt64(other), hashes: path), leaf, head))
            }
            if !path.isEmpty {
                wrong.append(("cut at the end", InclusionProof(index: place, hashes: path.dropLast()), leaf, head))
                wrong.append(
                    ("cut at the start", InclusionProof(index: place, hashes: Array(path.dropFirst())), leaf, head))
            }
            for changed in path.indices {
                var hashes = path
                hashes[changed] = hashes[changed].changed()
                wrong.append(("hash \(changed)", InclusionProof(index: place, hashes: hashes), leaf, head))
            }
            for (what, proof, leaf, head) in wrong {
                let holds = proof.holds(for: leaf, in: head, &hasher)
                #expect(!holds, "\(index) in \(size): \(what)")
            }
        }
    }

    @Test(
        "of an entry that is not there are not planned",
        arguments: [(0, 0), (5, 5), (6, 5), (UInt64.max, 1)] as [(UInt64, UInt64)])
    func outside(index: UInt64, size: UInt64) {
        #expect(ProofNodes(inclusionOf: index, inTreeOf: size) == nil)
    }

    @Test("need few tiles, of which none is wider than the tree has it")
    func tiles() throws {
        let nodes = try #require(ProofNodes(inclusionOf: 69_999, inTreeOf: 70_000))
        #expect(
            nodes.tiles == [
                TileID(level: 0, index: 273), TileID(level: 1, index: 1), TileID(level: 2, index: 0),
            ])
        #expect(nodes.tiles.allSatisfy { $0.width(inTreeOf: 70_000) > 0 })
        let greatest = try #require(ProofNodes(inclusionOf: .max - 1, inTreeOf: .max))
        #expect(greatest.tiles.allSatisfy { $0.width(inTreeOf: .max) > 0 })
    }

    @Test("are not made of a tile that is missing or too narrow")
    func missing() throws {
        let tree = SampleTree(300)
        var hasher = TreeHasher()
        let nodes = try #require(ProofNodes(inclusionOf: 299, inTreeOf: 300))
        for place in nodes.tiles {
            let without = nodes.hashes(in: { $0 == place ? nil : tree.tiles[$0] }, &hasher)
            #expect(without == nil)
            let narrow = nodes.hashes(in: { $0 == place ? Tile(place, []) : tree.tiles[$0] }, &hasher)
            #expect(narrow == nil)
        }
    }
}
