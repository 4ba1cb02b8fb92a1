import Ledger
import SQL

/// The hashes of a ledger's entries: from the stored whole tiles, and for the rest from the frontier.
final class LeafHashes {
    let frontier: TreeFrontier
    /// Whether the hashes of the frontier are the committed ones, and were not computed again from the rows.
    let isCommitted: Bool
    private let organization: Int64
    private let db: any SQLConnection
    /// The tile that was read last.
    private var tile: Tile?

    init(_ organization: Int64, _ checked: LedgerRound.CheckedFrontier, _ db: any SQLConnection) {
        self.organization = organization
        frontier = checked.frontier
        isCommitted = checked.isCommitted
        self.db = db
    }

    /// - Returns: `nil` for an entry that was committed after the frontier.
    /// - Throws: ``StorageError/unreadable`` if a tile is missing.
    func hash(of leaf: UInt64) throws -> TreeHash? {
        guard leaf < frontier.size else { return nil }
        let width = UInt64(Tile.width)
        let (index, offset) = (leaf / width, Int(leaf % width))
        guard index < frontier.size / width else { return frontier.levels[0][offset] }
        if let tile, tile.id.index == index { return tile.hashes[offset] }
        let read = try LedgerTree.wholeTile(TileID(level: 0, index: index), of: organization, db)
        tile = read
        return read.hashes[offset]
    }
}
