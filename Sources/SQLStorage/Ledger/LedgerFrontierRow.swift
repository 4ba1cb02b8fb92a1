import Ledger
import SQL

/// Stores the frontier of a ledger in a row of its own, if several processes write to the ledger: each of them reads
/// this row before it appends. Computing the frontier from the last entries and the whole tiles would take
/// milliseconds.
///
/// The row has the committed state, like a frontier in memory. The check of the ledgers compares it with the entries.
enum LedgerFrontierRow {
    static func keep(_ frontier: TreeFrontier, of organization: Int64, _ db: any SQLConnection) throws {
        var hashes: [UInt8] = []
        for hash in frontier.levels.joined() { hash.append(to: &hashes) }
        try db.statement(
            """
            INSERT INTO ledger_edges (organization, size, hashes) VALUES (?, ?, ?)
            ON CONFLICT (organization) DO UPDATE SET size = excluded.size, hashes = excluded.hashes
            """
        ).run(organization, Int64(frontier.size), hashes)
    }

    /// - Returns: `nil` if no frontier is stored, or one of another size.
    static func load(_ organization: Int64, size: UInt64, _ db: any SQLConnection) throws -> TreeFrontier? {
        let kept = try db.statement("SELECT hashes FROM ledger_edges WHERE organization = ? AND size = ?")
            .first(organization, Int64(size)) { $0.bytes(0) }
        guard let kept else { return nil }
        let widths = TreeFrontier.widths(of: size)
        guard kept.count == widths.reduce(0, +) * TreeHash.length else { return nil }
        var start = 0
        let levels = widths.map { width in
            defer { start += width }
            return (start..<(start + width)).compactMap { place in
                TreeHash(kept.span.extracting((place * TreeHash.length)..<((place + 1) * TreeHash.length)))
            }
        }
        return TreeFrontier(size: size, levels: levels)
    }
}
