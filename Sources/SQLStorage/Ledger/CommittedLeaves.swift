import Ledger
import SQL

/// The hashes of the last entries of a ledger, which no whole tile has, as of its last checkpoint.
///
/// They are kept beside the checkpoint and come from what was committed, not from rows. They are used only if together
/// with the whole tiles they have the signed root. So they tell which of the last entries is not the one that was
/// entered.
struct CommittedLeaves {
    /// Of the tree that the checkpoint is of.
    let head: TreeHead
    /// The first entry that has a hash here.
    let first: UInt64
    let hashes: [TreeHash]

    /// Keeps those of the tree of `size` entries, if `frontier` still has them: a tile that became whole meanwhile is stored.
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

    /// - Parameter head: of a checkpoint; `nil` for the one in the database.
    /// - Returns: `nil` when they do not have its root.
    static func load(_ organization: Int64, head: TreeHead? = nil, _ db: any SQLConnection) throws -> CommittedLeaves? {
        guard let head = try head ?? checkpoint(of: organization, db) else { return nil }
        let width = UInt64(Tile.width)
        let id = TileID(level: 0, index: head.size / width)
        let bytes = try db.statement("SELECT hashes FROM ledger_last_hashes WHERE organization = ?")
            .first(organization) { $0.bytes(0) }
        guard let bytes, let tile = Tile(id, bytes: bytes), tile.hashes.count == Int(head.size % width),
            // A checkpoint of more entries than there are has no frontier here.
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
