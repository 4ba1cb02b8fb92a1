/// Up to 256 adjacent entries, each preceded by its length in two bytes (C2SP tlog-tiles).
package struct EntryBundle: Equatable, Sendable {
    /// The greatest length of an entry, in bytes.
    static let maximumEntrySize = Int(UInt16.max)

    package let entries: [[UInt8]]

    package init(_ entries: [[UInt8]]) throws(LedgerError) {
        guard entries.allSatisfy({ $0.count <= Self.maximumEntrySize }) else {
            throw .entryTooLong(limit: Self.maximumEntrySize)
        }
        guard entries.count <= Tile.width else { throw .bundle("it has more than \(Tile.width) entries") }
        self.entries = entries
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.reduce(0) { $0 + $1.count + 2 })
        for entry in entries {
            bytes.append(UInt8(truncatingIfNeeded: entry.count >> 8))
            bytes.append(UInt8(truncatingIfNeeded: entry.count))
            bytes.append(contentsOf: entry)
        }
        return bytes
    }
}
