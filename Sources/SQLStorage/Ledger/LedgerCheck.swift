import Ledger
import SQL

/// Checks whether a ledger still agrees with what was signed, and if not, where it differs.
struct LedgerCheck {
    private let organization: Int64
    private let db: any SQLConnection

    init(organization: Int64, _ db: any SQLConnection) {
        self.organization = organization
        self.db = db
    }

    /// - Parameter signed: the tree of a checkpoint.
    /// - Returns: `nil` if the tree of rows and tiles continues the signed one.
    func finding(against signed: TreeHead) throws -> LedgerInconsistency.Finding? {
        let size = try LedgerTree.size(of: organization, db)
        guard signed.size <= size else { return .missing(size...(signed.size - 1)) }
        do {
            var unreadable: LedgerInconsistency.Finding?
            let tree = try LedgerTree.load(organization, db) { row, leaf in
                unreadable = unreadable ?? .row(row, entry: leaf, .unreadable)
            }
            if let unreadable { return unreadable }
            if try tree.head(at: signed.size, db) == signed { return nil }
        } catch StorageError.unreadable {
            // A tile or a row is missing. The code below finds out which.
        }
        if let finding = try firstDisagreement(below: size) ?? lastDisagreement(with: signed) { return finding }
        return .anotherTree(lastEntries(of: size))
    }

    /// Compares the rows of the last entries with the hashes that were stored with the checkpoint.
    private func lastDisagreement(with signed: TreeHead) throws -> LedgerInconsistency.Finding? {
        guard let committed = try CommittedLeaves.load(organization, head: signed, db) else { return nil }
        var known = committed.hashes[...]
        var found: UInt64?
        try LedgerRows(organization, db).forEach(
            from: committed.first, count: known.count, unreadable: { _, _ in }
        ) { location, rendered in
            if rendered.leaf() != known.popFirst(), found == nil { found = location.leaf }
        }
        return (found ?? (known.isEmpty ? nil : signed.size - UInt64(known.count))).map { .changed($0) }
    }

    /// The entries that are in no whole tile.
    private func lastEntries(of size: UInt64) -> ClosedRange<UInt64> {
        let whole = size / UInt64(Tile.width) * UInt64(Tile.width)
        return whole < size ? whole...(size - 1) : 0...(max(size, 1) - 1)
    }

    /// Compares every row with its tile, and every tile with those below it.
    private func firstDisagreement(below size: UInt64) throws -> LedgerInconsistency.Finding? {
        var hasher = TreeHasher()
        var roots: [TreeHash] = []
        for index in 0..<(size / UInt64(Tile.width)) {
            let first = index * UInt64(Tile.width)
            let entries = first...(first + UInt64(Tile.width) - 1)
            guard let tile = try wholeTile(TileID(level: 0, index: index)) else { return .hashes(entries) }
            var known = tile.hashes[...]
            var found: LedgerInconsistency.Finding?
            try LedgerRows(organization, db).forEach(
                from: first, count: Tile.width,
                unreadable: { row, leaf in
                    _ = known.popFirst()
                    found = found ?? .row(row, entry: leaf, .unreadable)
                }
            ) { location, rendered in
                if rendered.leaf() != known.popFirst(), found == nil { found = .changed(location.leaf) }
            }
            if let found { return found }
            guard known.isEmpty else { return .changed(entries.upperBound - UInt64(known.count) + 1) }
            roots.append(hasher.root(of: tile.hashes[...]))
        }
        return try disagreement(of: roots, at: 1)
    }

    /// - Parameter hashes: all hashes of the level, computed from the tiles below.
    private func disagreement(of hashes: [TreeHash], at level: Int) throws -> LedgerInconsistency.Finding? {
        var hasher = TreeHasher()
        var roots: [TreeHash] = []
        let span = UInt64(1) << UInt64(8 * (level + 1))
        for (index, start) in stride(from: 0, through: hashes.count - Tile.width, by: Tile.width).enumerated() {
            let expected = hashes[start..<(start + Tile.width)]
            guard let tile = try wholeTile(TileID(level: level, index: UInt64(index))), tile.hashes[...] == expected
            else { return .hashes(UInt64(index) * span...(UInt64(index) * span + span - 1)) }
            roots.append(hasher.root(of: expected))
        }
        return roots.isEmpty ? nil : try disagreement(of: roots, at: level + 1)
    }

    private func wholeTile(_ id: TileID) throws -> Tile? {
        do {
            return try LedgerTree.wholeTile(id, of: organization, db)
        } catch StorageError.unreadable {
            return nil
        }
    }
}
