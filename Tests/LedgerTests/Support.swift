import Cryptography
import Ledger

/// A tree of `count` entries, `entry 0` and so on, with every tile it has.
struct SampleTree {
    let leaves: [TreeHash]
    private(set) var tiles: [TileID: Tile] = [:]
    private(set) var head: TreeHead

    init(_ leaves: [TreeHash]) {
        self.leaves = leaves
        var hasher = TreeHasher()
        var edge = TreeFrontier()
        for leaf in leaves {
            for tile in edge.append(leaf, &hasher) { tiles[tile.id] = tile }
        }
        for (level, hashes) in edge.levels.enumerated() where !hashes.isEmpty {
            let index = UInt64(leaves.count) >> UInt64(8 * (level + 1))
            tiles[TileID(level: level, index: index)] = Tile(TileID(level: level, index: index), hashes)
        }
        head = edge.head(&hasher)
    }

    init(_ count: Int) { self.init(someLeaves(count)) }

    /// The head that the tree had when it was smaller, as the RFC defines it.
    func head(of size: Int, _ hasher: inout TreeHasher) -> TreeHead {
        TreeHead(size: UInt64(size), root: definedRoot(of: leaves[..<size], &hasher))
    }
}

func someSigner(_ name: String = "links.example.com/acme", seed: UInt8 = 7) throws -> SignerKey {
    try SignerKey(name: KeyName(name), seed: SecretBytes([UInt8](repeating: seed, count: 32)))
}

extension TreeHash {
    /// One bit of it changed.
    func changed() -> TreeHash {
        var bytes = bytes
        bytes[17] ^= 0x10
        return TreeHash(bytes)
    }
}
