/// The hashes at the right edge of a tree, which are enough to append entries and to compute the root.
///
///     var frontier = TreeFrontier()
///     let whole = frontier.append(hasher.leaf(entry), &hasher)    // tiles that need never change again
///     let head = frontier.head(&hasher)
///
/// It is a value, so that a writer can keep the previous one and undo an append.
package struct TreeFrontier: Hashable, Sendable {
    /// The number of entries in the tree.
    package private(set) var size: UInt64
    /// The hashes of the last, unfinished tile of each level, from the leaves up: fewer than 256 each.
    package private(set) var levels: [[TreeHash]]

    /// The frontier of a tree without entries.
    package init() {
        size = 0
        levels = []
    }

    /// The frontier of an existing tree.
    ///
    /// - Parameter levels: the unfinished tile of each level. Level `n` has as many hashes as digit `n` of `size` to
    ///   the base of 256.
    /// - Returns: `nil` if a level has another number of hashes.
    package init?(size: UInt64, levels: [[TreeHash]]) {
        guard levels.map(\.count) == Self.widths(of: size) else { return nil }
        self.size = size
        self.levels = levels
    }

    /// The number of hashes in the unfinished tile of each level of a tree.
    package static func widths(of size: UInt64) -> [Int] {
        var (rest, widths): (UInt64, [Int]) = (size, [])
        while rest > 0 {
            widths.append(Int(rest % UInt64(Tile.width)))
            rest /= UInt64(Tile.width)
        }
        return widths
    }

    /// Appends the hash of an entry.
    /// - Returns: the tiles that have become whole, from the leaves up.
    package mutating func append(_ leaf: TreeHash, _ hasher: inout TreeHasher) -> [Tile] {
        let entry = size
        size += 1
        var whole: [Tile] = []
        var hash = leaf
        for level in 0... {
            if level == levels.count { levels.append([]) }
            levels[level].append(hash)
            guard levels[level].count == Tile.width else { break }
            whole.append(Tile(TileID(level: level, index: entry >> UInt64(8 * (level + 1))), levels[level]))
            hash = hasher.root(of: levels[level][...])
            levels[level].removeAll(keepingCapacity: true)
        }
        return whole
    }

    /// Size and root of the present tree.
    package func head(_ hasher: inout TreeHasher) -> TreeHead {
        var right: TreeHash?
        for level in levels where !level.isEmpty {
            // The subtree to the right of this level's tile is smaller than the subtree of any hash in the tile.
            right = hasher.root(of: (level + (right.map { [$0] } ?? []))[...])
        }
        return TreeHead(size: size, root: right ?? hasher.empty())
    }
}
