/// 256 hashes that stand side by side in a tree, or at its right edge fewer (C2SP tlog-tiles).
///
/// On level 0 they are leaves, on level 1 each is the root over a whole tile of level 0, and so on. The first hash of
/// tile `index` stands over the entries from `index · 256^(level + 1)` on.
package struct Tile: Hashable, Sendable {
    /// The hashes of a tile that is whole.
    package static let width = 256

    package struct Place: Hashable, Sendable {
        package let level: Int
        package let index: UInt64

        package init(level: Int, index: UInt64) {
            self.level = level
            self.index = index
        }
    }

    package let place: Place
    package let hashes: [TreeHash]

    package init(_ place: Place, _ hashes: [TreeHash]) {
        self.place = place
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
    package init?(_ place: Place, bytes: [UInt8]) {
        guard bytes.count.isMultiple(of: TreeHash.length), bytes.count <= Self.width * TreeHash.length else {
            return nil
        }
        self.place = place
        hashes = stride(from: 0, to: bytes.count, by: TreeHash.length).compactMap { start in
            TreeHash(bytes.span.extracting(start..<(start + TreeHash.length)))
        }
    }
}
