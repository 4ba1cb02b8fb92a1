/// 256 hashes that stand side by side in a tree, or at its right edge fewer (C2SP tlog-tiles).
///
/// On level 0 they are leaves, on level 1 each is the root over a whole tile of level 0, and so on. The first hash of
/// tile `index` stands over the entries from `index · 256^(level + 1)` on.
package struct Tile: Hashable, Sendable {
    /// The hashes of a tile that is whole.
    package static let width = 256

    package let id: TileID
    package let hashes: [TreeHash]

    package init(_ id: TileID, _ hashes: [TreeHash]) {
        self.id = id
        self.hashes = hashes
    }

    /// The hashes one after the other, as a tile is stored and sent.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(hashes.count * TreeHash.length)
        for hash in hashes { hash.append(to: &bytes) }
        return bytes
    }

    /// - Returns: `nil` for what is no whole number of hashes, and for more than a tile has.
    package init?(_ id: TileID, bytes: [UInt8]) {
        guard bytes.count.isMultiple(of: TreeHash.length), bytes.count <= Self.width * TreeHash.length else {
            return nil
        }
        self.id = id
        hashes = stride(from: 0, to: bytes.count, by: TreeHash.length).compactMap { start in
            TreeHash(bytes.span.extracting(start..<(start + TreeHash.length)))
        }
    }
}
