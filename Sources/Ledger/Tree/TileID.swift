/// Names a tile of a tree: its level, from 0 at the leaves, and its index in the level, from 0 (C2SP tlog-tiles).
package struct TileID: Hashable, Sendable {
    package let level: Int
    package let index: UInt64

    package init(level: Int, index: UInt64) {
        self.level = level
        self.index = index
    }

    /// The number of hashes that this tile has in a tree of `size` entries; 0 if the tree does not have the tile.
    package func width(inTreeOf size: UInt64) -> Int {
        guard level < 8 else { return 0 }
        let hashes = size >> UInt64(8 * level)
        let (first, overflow) = index.multipliedReportingOverflow(by: UInt64(Tile.width))
        return overflow || hashes <= first ? 0 : Int(min(hashes - first, UInt64(Tile.width)))
    }
}
