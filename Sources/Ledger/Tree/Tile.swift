/// 256 adjacent hashes of one level of a tree; fewer at its right edge (C2SP tlog-tiles).
///
/// On level 0 the hashes are leaves. On every other level, each is the root over a whole tile of the level below. The
/// first hash of tile `index` covers the entries from `index · 256^(level + 1)` on.
package struct Tile: Hashable, Sendable {
    /// The number of hashes in a whole tile.
    package static let width = 256

    package let id: TileID
    package let hashes: [TreeHash]

    package init(_ id: TileID, _ hashes: [TreeHash]) {
        self.id = id
        self.hashes = hashes
    }

    /// The hashes one after another, as a tile is stored and sent.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(hashes.count * TreeHash.length)
        for hash in hashes { hash.append(to: &bytes) }
        return bytes
    }

    /// - Returns: `nil` if the bytes are not a whole number of hashes, or more hashes than a tile has.
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
