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

    /// Compares the rows of the entries behind a signed tree with the hashes that are stored for them. No signature
    /// covers these hashes: an attacker who writes the rows can write other hashes beside them.
    ///
    /// - Parameter signed: a tree that the stored hashes continue; `nil` if none was signed.
    func finding(behind signed: TreeHead?) throws -> LedgerInconsistency.Finding? {
        let tree = try LedgerTree.load(organization, db)
        guard var frontier = try tree.frontier(at: signed?.size ?? 0, db) else { throw StorageError.unreadable }
        var hasher = TreeHasher()
        while frontier.size < tree.frontier.size {
            let first = frontier.size
            let count = min(UInt64(Tile.width) - first % UInt64(Tile.width), tree.frontier.size - first)
            var tiles: [Tile] = []
            var found: LedgerInconsistency.Finding?
            try LedgerRows(organization, db).forEach(
                from: first, count: Int(count),
                unreadable: { row, leaf in found = found ?? .row(row, entry: leaf, .unreadable) }
            ) { location, rendered in
                guard found == nil else { return }
                // Runs that overlap have two rows for an entry, of which the head has one.
                if location.leaf < frontier.size { found = .derived(.runs(location.leaf)) }
                guard location.leaf == frontier.size else { return }
                tiles += frontier.append(rendered.leaf(), &hasher)
            }
            if let found { return found }
            guard frontier.size == first + count else { return .changed(frontier.size) }
            for tile in tiles { if let finding = try disagreement(of: tile) { return finding } }
        }
        return nil
    }

    /// - Parameter computed: a whole tile as the rows give it.
    private func disagreement(of computed: Tile) throws -> LedgerInconsistency.Finding? {
        let span = UInt64(1) << UInt64(8 * (computed.id.level + 1))
        let first = computed.id.index * span
        guard let stored = try wholeTile(computed.id) else { return .hashes(first...(first + span - 1)) }
        guard let place = zip(stored.hashes, computed.hashes).enumerated().first(where: { $1.0 != $1.1 })?.offset
        else { return nil }
        return computed.id.level == 0 ? .changed(first + UInt64(place)) : .hashes(first...(first + span - 1))
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
