/// The hashes that make up a proof, and the tiles that have them. The caller reads the tiles.
///
///     let nodes = try ProofNodes(inclusionOf: 42, inTreeOf: 70_000)
///     let tiles = read(nodes.tiles)                                // a handful: three for a million entries
///     let hashes = nodes.hashes(in: { tiles[$0] }, &hasher)
package struct ProofNodes: Hashable, Sendable {
    let size: UInt64
    /// The hashes of the proof, each given by the entries that it covers.
    private let parts: [Range<UInt64>]

    private init(size: UInt64, parts: [Range<UInt64>]) {
        self.size = size
        self.parts = parts
    }

    /// PATH of RFC 6962, 2.1.1.
    /// - Returns: `nil` if the tree does not have the entry.
    package init?(inclusionOf index: UInt64, inTreeOf size: UInt64) {
        guard index < size else { return nil }
        var (whole, parts): (Range<UInt64>, [Range<UInt64>]) = (0..<size, [])
        while whole.upperBound - whole.lowerBound > 1 {
            let middle = whole.middle
            let isLeft = index < middle
            parts.append(isLeft ? middle..<whole.upperBound : whole.lowerBound..<middle)
            whole = isLeft ? whole.lowerBound..<middle : middle..<whole.upperBound
        }
        self.init(size: size, parts: parts.reversed())
    }

    /// PROOF of RFC 6962, 2.1.2.
    /// - Returns: `nil` if the earlier tree is the larger one.
    package init?(consistencyFrom old: UInt64, to size: UInt64) {
        guard old <= size else { return nil }
        guard old > 0 else {
            self.init(size: size, parts: [])
            return
        }
        var (whole, parts): (Range<UInt64>, [Range<UInt64>]) = (0..<size, [])
        while old != whole.upperBound {
            let middle = whole.middle
            let isLeft = old <= middle
            parts.append(isLeft ? middle..<whole.upperBound : whole.lowerBound..<middle)
            whole = isLeft ? whole.lowerBound..<middle : middle..<whole.upperBound
        }
        // The caller knows the root of the old tree.
        if whole.lowerBound > 0 { parts.append(whole) }
        self.init(size: size, parts: parts.reversed())
    }

    /// The root that the tree had with `old` entries, as the only hash.
    package init?(rootOf old: UInt64, inTreeOf size: UInt64) {
        guard 0 < old, old <= size else { return nil }
        self.init(size: size, parts: [0..<old])
    }

    /// The tiles that must be read, each with at least ``TileID/width(inTreeOf:)`` hashes for ``size``.
    package var tiles: Set<TileID> { Set(parts.flatMap { $0.subtrees.map(\.tile) }) }

    /// The hashes of the proof.
    /// - Returns: `nil` if a tile is missing or has too few hashes.
    package func hashes<Failure: Error>(
        in tile: (TileID) throws(Failure) -> Tile?, _ hasher: inout TreeHasher
    ) throws(Failure) -> [TreeHash]? {
        var hashes: [TreeHash] = []
        for part in parts {
            var right: TreeHash?
            for subtree in part.subtrees.reversed() {
                guard let found = try tile(subtree.tile)?.hashes, found.count >= subtree.hashes.upperBound else {
                    return nil
                }
                let root = hasher.root(of: found[subtree.hashes])
                right = right.map { hasher.node(root, $0) } ?? root
            }
            guard let right else { return nil }
            hashes.append(right)
        }
        return hashes
    }
}

/// A whole subtree, and the hashes of one tile from which it is computed.
private struct Subtree {
    let tile: TileID
    let hashes: Range<Int>
}

extension Range<UInt64> {
    /// Where RFC 6962 splits a tree: at the greatest power of two below its size. The tree must have at least two
    /// entries.
    fileprivate var middle: UInt64 {
        lowerBound + 1 << UInt64(63 - (upperBound - lowerBound - 1).leadingZeroBitCount)
    }

    /// The whole subtrees that cover these entries, the largest first. The range must be one that splitting gives.
    fileprivate var subtrees: [Subtree] {
        var (start, subtrees): (UInt64, [Subtree]) = (lowerBound, [])
        while start < upperBound {
            let height = 63 - (upperBound - start).leadingZeroBitCount
            let (level, within) = (height / 8, height % 8)
            let first = start >> UInt64(8 * level)
            let offset = Int(first % UInt64(Tile.width))
            subtrees.append(
                Subtree(
                    tile: TileID(level: level, index: first / UInt64(Tile.width)),
                    hashes: offset..<(offset + 1 << within)))
            start += 1 << UInt64(height)
        }
        return subtrees
    }
}
