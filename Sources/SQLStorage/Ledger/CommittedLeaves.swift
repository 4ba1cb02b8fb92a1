import Ledger
import SQL

/// The hashes of the last entries of a ledger, those that no whole tile has, as of its last checkpoint.
///
/// They are stored with the checkpoint and come from the commits, not from rows. They are used only if, together with
/// the whole tiles, they give the signed root. So they tell which of the last entries was changed.
struct CommittedLeaves {
    /// The tree of the checkpoint.
    let head: TreeHead
    /// The index of the first entry that has a hash here.
    let first: UInt64
    let hashes: [TreeHash]

    /// Stores the hashes of the tree of `size` entries, if `frontier` still has them. If the tile has become whole
    /// meanwhile, it is stored itself.
    static func keep(of organization: Int64, at size: UInt64, _ frontier: TreeFrontier, _ db: any SQLConnection) throws
    {
        let width = UInt64(Tile.width)
        let isThere = frontier.size >= size && frontier.size / width == size / width && !frontier.levels.isEmpty
        let hashes = isThere ? Array(frontier.levels[0].prefix(Int(size % width))) : []
        try db.statement(
            """
            INSERT INTO ledger_last_hashes (organization, hashes) VALUES (?, ?)
            ON CONFLICT (organization) DO UPDATE SET hashes = excluded.hashes
            """
        ).run(organization, Tile(TileID(level: 0, index: size / width), hashes).bytes)
    }

    /// - Parameter head: the tree of a checkpoint; `nil` means the checkpoint in the database.
    /// - Returns: `nil` if the hashes do not give its root.
    static func load(_ organization: Int64, head: TreeHead? = nil, _ db: any SQLConnection) throws -> CommittedLeaves? {
        guard let head = try head ?? checkpoint(of: organization, db) else { return nil }
        let width = UInt64(Tile.width)
        let id = TileID(level: 0, index: head.size / width)
        let bytes = try db.statement("SELECT hashes FROM ledger_last_hashes WHERE organization = ?")
            .first(organization) { $0.bytes(0) }
        guard let bytes, let tile = Tile(id, bytes: bytes), tile.hashes.count == Int(head.size % width),
            // If the checkpoint has more entries than the ledger, it has no frontier here.
            try head.size <= LedgerTree.size(of: organization, db)
        else { return nil }
        let frontier = try LedgerTree.frontier(of: organization, at: head.size, leaves: tile.hashes, db)
        var hasher = TreeHasher()
        guard frontier.head(&hasher) == head else { return nil }
        return CommittedLeaves(head: head, first: id.index * width, hashes: tile.hashes)
    }

    private static func checkpoint(of organization: Int64, _ db: any SQLConnection) throws -> TreeHead? {
        guard let text = try LedgerRow.checkpoint(of: organization, db), let note = try? SignedNote(Array(text.utf8))
        else { return nil }
        return try? Checkpoint(note.text).head
    }
}
