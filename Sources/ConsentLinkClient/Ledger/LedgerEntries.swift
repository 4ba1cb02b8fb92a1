/// The entries of a ledger one by one. ``OrganizationAPI/ledgerEntries(from:upTo:)`` makes it.
public struct LedgerEntries: AsyncSequence, Sendable {
    /// An entry as it is hashed into the tree: JSON in UTF-8.
    public typealias Element = [UInt8]

    let api: OrganizationAPI
    let first: Int
    /// The index after the last entry.
    let size: Int

    public func makeAsyncIterator() -> Iterator { Iterator(entries: self) }

    public struct Iterator: AsyncIteratorProtocol {
        let entries: LedgerEntries
        private var bundle: ArraySlice<[UInt8]> = []
        private var position: Int

        init(entries: LedgerEntries) {
            self.entries = entries
            position = entries.first
        }

        /// - Throws: ``ConsentLinkError``, with 404 if the ledger is smaller than ``size``. The iterator may be asked
        ///   again, and continues with the entry that failed.
        public mutating func next() async throws -> [UInt8]? {
            guard position < entries.size else { return nil }
            if bundle.isEmpty {
                let tile = position / LedgerTile.width
                let width = Swift.min(entries.size - tile * LedgerTile.width, LedgerTile.width)
                let found = try await entries.api.ledgerEntries(ofTile: tile, width: width)
                bundle = found[(position - tile * LedgerTile.width)...]
            }
            position += 1
            return bundle.popFirst()
        }
    }
}
