/// The tiles of an export, in an order in which each can be checked when it is read: first the unfinished ones at the
/// right edge, which give the root, from the top down; then the whole ones, from the top down and from left to right,
/// each of which hashes to a hash in the tile above it.
package enum AuditTiles {
    /// All tiles of a tree.
    package static func whole(inTreeOf size: UInt64) -> [TileID] {
        var ids = unfinished(inTreeOf: size)
        for level in levels(inTreeOf: size).reversed() {
            let count = size >> UInt64(8 * (level + 1))
            for index in 0..<count { ids.append(TileID(level: level, index: index)) }
        }
        return ids
    }

    /// The tiles that prove that the entries of these tiles of leaves are in the tree.
    ///
    /// - Parameter leafTiles: the entries' indices divided by 256.
    package static func some(_ leafTiles: Set<UInt64>, inTreeOf size: UInt64) -> [TileID] {
        var byLevel: [[TileID]] = []
        var indices = leafTiles
        for level in levels(inTreeOf: size) {
            let ids = indices.sorted().map { TileID(level: level, index: $0) }
            byLevel.append(ids.filter { $0.width(inTreeOf: size) == Tile.width })
            indices = Set(indices.map { $0 / UInt64(Tile.width) })
        }
        return unfinished(inTreeOf: size) + byLevel.reversed().flatMap { $0 }
    }

    /// The unfinished tiles.
    static func unfinished(inTreeOf size: UInt64) -> [TileID] {
        levels(inTreeOf: size).reversed().compactMap { level in
            // Level 8 has no tile in a tree whose size has 64 bits.
            let index = level < 7 ? size >> UInt64(8 * (level + 1)) : 0
            let id = TileID(level: level, index: index)
            return (1..<Tile.width).contains(id.width(inTreeOf: size)) ? id : nil
        }
    }

    private static func levels(inTreeOf size: UInt64) -> Range<Int> { 0..<TreeFrontier.widths(of: size).count }
}
