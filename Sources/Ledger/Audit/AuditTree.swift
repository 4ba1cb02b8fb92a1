/// The tiles of an export. Each is checked once, when it is read: against the root, or against the tile above it.
final class AuditTree {
    let head: TreeHead

    private var hasher = TreeHasher()
    private(set) var tiles: [TileID: Tile] = [:]
    /// The unfinished tiles that are still to come, in their order.
    private var unfinished: ArraySlice<TileID>
    private var last: TileID?
    /// The first missing one of the unfinished tiles. Without it nothing else is proved, and no further tile is
    /// checked.
    private(set) var missing: TilePath?
    /// The tile that was in the place of the missing one.
    private var early: TilePath?

    init(_ head: TreeHead) {
        self.head = head
        unfinished = AuditTiles.unfinished(inTreeOf: head.size)[...]
    }

    func take(_ path: TilePath, _ bytes: [UInt8]) throws(AuditFault) {
        guard case .hashes(let level) = path.kind else { throw .tile(path, .path) }
        let id = TileID(level: level, index: path.index)
        guard path.width == id.width(inTreeOf: head.size) else { throw .tile(path, .path) }
        guard let tile = Tile(id, bytes: bytes), tile.hashes.count == path.width else { throw .tile(path, .size) }
        if let missing {
            // The missing tile is there after all, but another one was put before it.
            guard path != missing else { throw .tile(early ?? path, .order) }
            return
        }
        if let next = unfinished.first {
            guard id == next else {
                // A tile that must come later is here, so the expected one is missing.
                guard path.width == Tile.width || unfinished.contains(id) else { throw .tile(path, .order) }
                missing = next.path(inTreeOf: head.size)
                early = path
                return
            }
            unfinished.removeFirst()
            tiles[id] = tile
            if unfinished.isEmpty { try checkRoot() }
            return
        }
        guard path.width == Tile.width, last.map({ Self.precedes($0, id) }) ?? true else {
            throw .tile(path, .order)
        }
        let above = TileID(level: level + 1, index: path.index / UInt64(Tile.width))
        guard let parent = tiles[above] else { throw .tile(path, .unproved) }
        guard hasher.root(of: tile.hashes[...]) == parent.hashes[Int(path.index % UInt64(Tile.width))] else {
            throw .tile(path, .hash)
        }
        tiles[id] = tile
        last = id
    }

    /// Must be called after the last tile.
    func finish() throws(AuditFault) {
        if let missing = missing ?? unfinished.first?.path(inTreeOf: head.size) {
            self.missing = missing
            throw .tileMissing(missing)
        }
        // A tree without entries has no tile that would have checked the root.
        if head.size == 0 { try checkRoot() }
    }

    /// The hash of an entry in the tree; `nil` if no tile of the export has it.
    func leaf(_ index: UInt64) -> TreeHash? {
        let id = TileID(level: 0, index: index / UInt64(Tile.width))
        let within = Int(index % UInt64(Tile.width))
        guard let tile = tiles[id], within < tile.hashes.count else { return nil }
        return tile.hashes[within]
    }

    /// The index of another entry with this hash, as far as the export's tiles show.
    func index(of leaf: TreeHash) -> UInt64? {
        for (id, tile) in tiles where id.level == 0 {
            if let within = tile.hashes.firstIndex(of: leaf) {
                return id.index * UInt64(Tile.width) + UInt64(within)
            }
        }
        return nil
    }

    /// The root of the tree when it was smaller.
    /// - Returns: `nil` if the export lacks the tiles for it.
    func root(of size: UInt64) -> TreeHash? {
        ProofNodes(rootOf: size, inTreeOf: head.size)?.hashes(in: { self.tiles[$0] }, &hasher)?.first
    }

    private func checkRoot() throws(AuditFault) {
        let levels = TreeFrontier.widths(of: head.size).enumerated().map { level, width in
            let index = level < 7 ? head.size >> UInt64(8 * (level + 1)) : 0
            return width == 0 ? [] : tiles[TileID(level: level, index: index)]?.hashes ?? []
        }
        guard let frontier = TreeFrontier(size: head.size, levels: levels), frontier.head(&hasher) == head else {
            throw .root(last: unfinishedLeaves)
        }
    }

    /// The entries that are in no whole tile.
    private var unfinishedLeaves: ClosedRange<UInt64>? {
        let count = head.size % UInt64(Tile.width)
        return count == 0 ? nil : (head.size - count)...(head.size - 1)
    }

    /// The order from the top down, then from left to right.
    private static func precedes(_ one: TileID, _ other: TileID) -> Bool {
        one.level == other.level ? one.index < other.index : one.level > other.level
    }
}

extension TileID {
    /// The path of the tile in a tree of `size` entries.
    fileprivate func path(inTreeOf size: UInt64) -> TilePath {
        TilePath(.hashes(level: level), index: index, width: width(inTreeOf: size))
    }
}
