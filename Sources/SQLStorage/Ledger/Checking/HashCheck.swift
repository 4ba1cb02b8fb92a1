import Ledger
import SQL

/// Compares the tiles of each level with those below.
struct HashCheck {
    private static let tilesPerStep: UInt64 = 16
    /// A position has the level in the bits above these, and the index of a tile in these bits.
    private static let indexBits: Int64 = 48

    private let organization: Int64
    private let frontier: TreeFrontier
    private let db: any SQLConnection

    init(_ organization: Int64, _ frontier: TreeFrontier, _ db: any SQLConnection) {
        self.organization = organization
        self.frontier = frontier
        self.db = db
    }

    func step(from next: Int64) throws -> LedgerRound.Outcome {
        // The position is stored in the database that is checked.
        guard next >= 0 else { return LedgerRound.Outcome() }
        let level = Int(next >> Self.indexBits)
        let first = UInt64(next & (1 << Self.indexBits - 1))
        // As many whole tiles as there are hashes on the level above.
        let count = frontier.size >> UInt64(8 * (level + 1))
        guard count > 0 else { return LedgerRound.Outcome() }
        var hasher = TreeHasher()
        let end = min(first + Self.tilesPerStep, count)
        for index in first..<max(first, end) {
            guard let tile = try tile(level, index), let above = try hash(level + 1, index),
                hasher.root(of: tile.hashes[...]) == above
            else { return LedgerRound.Outcome(finding: .hashes(entries(level, index))) }
        }
        let following = end < count ? Int64(level) << Self.indexBits | Int64(end) : Int64(level + 1) << Self.indexBits
        return LedgerRound.Outcome(next: following)
    }

    /// The hash at an index of a level, which may be in its unfinished tile.
    private func hash(_ level: Int, _ index: UInt64) throws -> TreeHash? {
        let width = UInt64(Tile.width)
        let offset = Int(index % width)
        if index / width < frontier.size >> UInt64(8 * (level + 1)) {
            return try tile(level, index / width).map { $0.hashes[offset] }
        }
        guard level < frontier.levels.count, offset < frontier.levels[level].count else { return nil }
        return frontier.levels[level][offset]
    }

    private func tile(_ level: Int, _ index: UInt64) throws -> Tile? {
        do {
            return try LedgerTree.wholeTile(TileID(level: level, index: index), of: organization, db)
        } catch StorageError.unreadable {
            return nil
        }
    }

    private func entries(_ level: Int, _ index: UInt64) -> ClosedRange<UInt64> {
        let span = UInt64(1) << UInt64(8 * (level + 1))
        return (index * span)...(index * span + span - 1)
    }
}
