import Cryptography
package import Ledger

/// A tree of `count` entries, `entry 0` and so on, with every tile it has.
package struct SampleTree {
    package let leaves: [TreeHash]
    package private(set) var tiles: [TileID: Tile] = [:]
    package private(set) var head: TreeHead

    package init(_ leaves: [TreeHash]) {
        self.leaves = leaves
        var hasher = TreeHasher()
        var frontier = TreeFrontier()
        for leaf in leaves {
            for tile in frontier.append(leaf, &hasher) { tiles[tile.id] = tile }
        }
        for (level, hashes) in frontier.levels.enumerated() where !hashes.isEmpty {
            let index = UInt64(leaves.count) >> UInt64(8 * (level + 1))
            tiles[TileID(level: level, index: index)] = Tile(TileID(level: level, index: index), hashes)
        }
        head = frontier.head(&hasher)
    }

    package init(_ count: Int) { self.init(someLeaves(count)) }

    /// The head that the tree had when it was smaller, as the RFC defines it.
    package func head(of size: Int, _ hasher: inout TreeHasher) -> TreeHead {
        TreeHead(size: UInt64(size), root: definedRoot(of: leaves[..<size], &hasher))
    }
}

package func someSigner(_ name: String = "links.example.com/acme", seed: UInt8 = 7) throws -> SignerKey {
    try SignerKey(name: KeyName(name), seed: SecretBytes([UInt8](repeating: seed, count: 32)))
}

extension TreeHash {
    /// One bit of it changed.
    package func changed() -> TreeHash {
        var bytes = bytes
        bytes[17] ^= 0x10
        return TreeHash(bytes)
    }
}

/// The root of RFC 6962, 2.1, as the RFC defines it: split at the greatest power of two below the count.
package func definedRoot(of leaves: ArraySlice<TreeHash>, _ hasher: inout TreeHasher) -> TreeHash {
    guard leaves.count > 1 else { return leaves.first ?? hasher.empty() }
    var split = 1
    while split * 2 < leaves.count { split *= 2 }
    let middle = leaves.startIndex + split
    let left = definedRoot(of: leaves[..<middle], &hasher)
    return hasher.node(left, definedRoot(of: leaves[middle...], &hasher))
}

package func someLeaves(_ count: Int) -> [TreeHash] {
    var hasher = TreeHasher()
    return (0..<count).map { hasher.leaf(Array("entry \($0)".utf8)) }
}
