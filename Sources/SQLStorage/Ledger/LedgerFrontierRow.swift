import Identifiers
import Ledger
import SQL

/// Stores the frontier of a ledger in a row of its own, if several processes write to the ledger: each of them reads
/// this row before it appends. Computing the frontier from the last entries and the whole tiles would take
/// milliseconds.
///
/// The row has the committed state, like a frontier in memory, under a seal (``LedgerSeals``). The check of the ledgers
/// compares it with the entries.
struct LedgerFrontierRow {
    private let size: UInt64
    private let hashes: [UInt8]
    /// `nil` if a node of a version without seals wrote the row first.
    private let seal: [UInt8]?

    /// - Returns: the seal.
    @discardableResult
    static func keep(
        _ frontier: TreeFrontier, of organization: Int64, named id: OrganizationID, _ seals: LedgerSeals,
        _ db: any SQLConnection
    ) throws -> [UInt8] {
        var hashes: [UInt8] = []
        for hash in frontier.levels.joined() { hash.append(to: &hashes) }
        let seal = seals.seal(of: frontier.size, hashes, in: id)
        try db.statement(
            """
            INSERT INTO ledger_edges (organization, size, hashes, seal) VALUES (?, ?, ?, ?)
            ON CONFLICT (organization) DO UPDATE
            SET size = excluded.size, hashes = excluded.hashes, seal = excluded.seal
            """
        ).run(organization, Int64(frontier.size), hashes, seal)
        return seal
    }

    /// - Returns: `nil` if no frontier is stored, or one of another size.
    static func load(_ organization: Int64, size: UInt64, _ db: any SQLConnection) throws -> LedgerFrontierRow? {
        try db.statement("SELECT hashes, seal FROM ledger_edges WHERE organization = ? AND size = ?")
            .first(organization, Int64(size)) { row in
                LedgerFrontierRow(size: size, hashes: row.bytes(0), seal: row.isNull(1) ? nil : row.bytes(1))
            }
    }

    /// Whether a node has sealed this state.
    func isSealed(of organization: OrganizationID, _ seals: LedgerSeals) -> Bool {
        seal.map { seals.isSeal($0, of: size, hashes, in: organization) } ?? false
    }

    /// `nil` if the row has another number of hashes than its size says.
    var frontier: TreeFrontier? {
        let widths = TreeFrontier.widths(of: size)
        guard hashes.count == widths.reduce(0, +) * TreeHash.length else { return nil }
        var start = 0
        let levels = widths.map { width in
            defer { start += width }
            return (start..<(start + width)).compactMap { place in
                TreeHash(hashes.span.extracting((place * TreeHash.length)..<((place + 1) * TreeHash.length)))
            }
        }
        return TreeFrontier(size: size, levels: levels)
    }
}
