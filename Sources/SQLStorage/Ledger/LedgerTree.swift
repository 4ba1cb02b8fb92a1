import Ledger
import SQL

/// The tree of one ledger: its whole tiles and its frontier.
struct LedgerTree {
    let organization: Int64
    let frontier: TreeFrontier
    /// `false` if a node must have sealed this state (``LedgerSeals``) and none has.
    var isSealed = true

    /// The number of entries in the runs of a ledger.
    static func size(of organization: Int64, _ db: any SQLConnection) throws -> UInt64 {
        let last = try db.statement(
            "SELECT first_leaf, count FROM ledger_runs WHERE organization = ? ORDER BY first_leaf DESC LIMIT 1"
        ).first(organization) { (first: $0.integer(0), count: $0.integer(1)) }
        guard let last else { return 0 }
        let (end, overflow) = last.first.addingReportingOverflow(last.count)
        // No tree is so large: it is found to differ.
        guard !overflow else { return UInt64(Int64.max) }
        guard let size = UInt64(exactly: end) else { throw StorageError.unreadable }
        return size
    }

    /// - Returns: `nil` if the last run cannot be read.
    static func sizeIfReadable(of organization: Int64, _ db: any SQLConnection) throws -> UInt64? {
        do { return try size(of: organization, db) } catch StorageError.unreadable { return nil }
    }

    /// The present tree, whether or not a node has sealed it.
    static func current(_ organization: Int64, _ db: any SQLConnection) throws -> LedgerTree {
        if db.dialect.hasSeveralWriters,
            let frontier = try LedgerFrontierRow.load(organization, size: try size(of: organization, db), db)?.frontier
        {
            return LedgerTree(organization: organization, frontier: frontier)
        }
        return try load(organization, db)
    }

    /// Computes the tree from what is stored: the last few rows and the whole tiles.
    ///
    /// - Parameter unreadable: is called for each of these rows that cannot be read.
    static func load(
        _ organization: Int64, _ db: any SQLConnection, unreadable: (LedgerRowName, UInt64) -> Void = { _, _ in }
    ) throws -> LedgerTree {
        let size = try size(of: organization, db)
        let width = Int(size % UInt64(Tile.width))
        let first = size - UInt64(width)
        // A missing or unreadable row gets a hash that no entry has, so that the root differs from the signed one and
        // the other rows can still be read.
        var leaves = Array(repeating: TreeHash(InlineArray(repeating: 0)), count: width)
        try LedgerRows(organization, db).forEach(from: first, count: width, unreadable: unreadable) {
            location, rendered in
            leaves[Int(location.leaf - first)] = rendered.leaf()
        }
        return LedgerTree(
            organization: organization, frontier: try frontier(of: organization, at: size, leaves: leaves, db))
    }

    /// Loads the tree with the hashes that the last entries had when the last checkpoint was signed. Only for newer
    /// entries the hashes come from the rows.
    ///
    /// - Returns: also whether all of the hashes were signed.
    static func loadCommitted(_ organization: Int64, _ db: any SQLConnection) throws -> (
        tree: LedgerTree, isCommitted: Bool
    ) {
        let tree = try load(organization, db)
        guard let committed = try CommittedLeaves.load(organization, db), var leaves = tree.frontier.levels.first,
            committed.head.size <= tree.frontier.size, tree.frontier.size - committed.first < UInt64(Tile.width)
        else { return (tree, false) }
        leaves.replaceSubrange(..<committed.hashes.count, with: committed.hashes)
        let frontier = try frontier(of: organization, at: tree.frontier.size, leaves: leaves, db)
        return (LedgerTree(organization: organization, frontier: frontier), committed.head.size == tree.frontier.size)
    }

    /// The frontier of a tree of `size` entries whose whole tiles are stored.
    ///
    /// - Parameter leaves: the hashes of the entries that are in no whole tile.
    static func frontier(of organization: Int64, at size: UInt64, leaves: [TreeHash], _ db: any SQLConnection) throws
        -> TreeFrontier
    {
        var hasher = TreeHasher()
        var levels: [[TreeHash]] = []
        for (level, width) in TreeFrontier.widths(of: size).enumerated() {
            let first = size >> UInt64(8 * level) - UInt64(width)
            guard level > 0 else {
                levels.append(leaves)
                continue
            }
            let tiles = try wholeTiles(first..<(first + UInt64(width)), level: level - 1, of: organization, db)
            levels.append(tiles.map { hasher.root(of: $0.hashes[...]) })
        }
        guard let frontier = TreeFrontier(size: size, levels: levels) else { throw StorageError.unreadable }
        return frontier
    }

    /// The entries below the first whole tile that is not stored; `nil` if all are stored.
    static func entriesWithoutHashes(_ organization: Int64, _ db: any SQLConnection) throws -> ClosedRange<UInt64>? {
        let size = try size(of: organization, db)
        for level in 0..<TreeFrontier.widths(of: size).count {
            let count = size >> UInt64(8 * (level + 1))
            let stored = try db.statement(
                "SELECT tile FROM ledger_tiles WHERE organization = ? AND level = ? ORDER BY tile"
            ).all(organization, level) { UInt64(clamping: $0.integer(0)) }
            let missing = UInt64(zip(stored, 0...).first { $0 != $1 }?.1 ?? UInt64(stored.count))
            guard missing < count else { continue }
            let span = UInt64(1) << UInt64(8 * (level + 1))
            return (missing * span)...(missing * span + span - 1)
        }
        return nil
    }

    /// Some adjacent tiles, with one query.
    /// - Throws: ``StorageError/unreadable`` if one of them is missing.
    private static func wholeTiles(
        _ range: Range<UInt64>, level: Int, of organization: Int64, _ db: any SQLConnection
    ) throws -> [Tile] {
        guard !range.isEmpty else { return [] }
        let tiles = try db.statement(
            """
            SELECT tile, hashes FROM ledger_tiles
            WHERE organization = ? AND level = ? AND tile >= ? AND tile < ? ORDER BY tile
            """
        ).all(organization, level, Int64(range.lowerBound), Int64(range.upperBound)) { row in
            Tile(TileID(level: level, index: UInt64(clamping: row.integer(0))), bytes: row.bytes(1))
        }.compactMap { $0 }
        guard tiles.map(\.id.index) == Array(range), tiles.allSatisfy({ $0.hashes.count == Tile.width }) else {
            throw StorageError.unreadable
        }
        return tiles
    }

    /// - Throws: ``StorageError/unreadable`` if it is missing.
    static func wholeTile(_ id: TileID, of organization: Int64, _ db: any SQLConnection) throws -> Tile {
        let bytes = try db.statement(
            "SELECT hashes FROM ledger_tiles WHERE organization = ? AND level = ? AND tile = ?"
        ).first(organization, id.level, Int64(id.index)) { $0.bytes(0) }
        guard let bytes, let tile = Tile(id, bytes: bytes), tile.hashes.count == Tile.width else {
            throw StorageError.unreadable
        }
        return tile
    }

    /// The first `width` hashes of a tile; `nil` if the tree does not have so many there.
    func tile(_ id: TileID, width: Int, _ db: any SQLConnection) throws -> Tile? {
        guard (0..<8).contains(id.level), (1...Tile.width).contains(width) else { return nil }
        let hashes = frontier.size >> UInt64(8 * id.level)
        let whole = hashes / UInt64(Tile.width)
        if id.index < whole {
            let tile = try Self.wholeTile(id, of: organization, db)
            return Tile(id, Array(tile.hashes.prefix(width)))
        }
        guard id.index == whole, width <= hashes % UInt64(Tile.width) else { return nil }
        return Tile(id, Array(frontier.levels[id.level].prefix(width)))
    }

    /// The tree as it was when it had `size` entries.
    ///
    /// - Returns: `nil` if it never had so many.
    func head(at size: UInt64, _ db: any SQLConnection) throws -> TreeHead? {
        var hasher = TreeHasher()
        return try frontier(at: size, db)?.head(&hasher)
    }

    /// The frontier of the tree as it was when it had `size` entries, from the hashes that are stored.
    ///
    /// - Returns: `nil` if it never had so many.
    func frontier(at size: UInt64, _ db: any SQLConnection) throws -> TreeFrontier? {
        guard size <= frontier.size else { return nil }
        let levels = try TreeFrontier.widths(of: size).enumerated().map { level, width -> [TreeHash] in
            guard width > 0 else { return [] }
            let id = TileID(level: level, index: size >> UInt64(8 * (level + 1)))
            guard let tile = try tile(id, width: width, db) else { throw StorageError.unreadable }
            return tile.hashes
        }
        guard let frontier = TreeFrontier(size: size, levels: levels) else { throw StorageError.unreadable }
        return frontier
    }
}
