extension OrganizationAPI {
    /// The ledger as it was signed last. Scope: read.
    ///
    /// ```swift
    /// let key = try await acme.ledger().verifierKey
    /// ```
    public func ledger() async throws -> LedgerHead { try await transport.get("\(path)/ledger") }

    /// The newest checkpoint (C2SP tlog-checkpoint). Keep it elsewhere. Scope: read.
    ///
    /// ```swift
    /// let checkpoint = try await acme.checkpoint()
    /// ```
    public func checkpoint() async throws -> String { try await transport.text("\(path)/ledger/checkpoint") }

    /// The proof that a decision stands in the ledger (C2SP tlog-proof). Scope: read.
    ///
    /// ```swift
    /// let proof = try await acme.proof(ofDecision: "3440a67a394c7628")
    /// ```
    public func proof(ofDecision id: String) async throws -> String {
        try await transport.text("\(path)/decisions/\(try PathSegment(id))/proof")
    }

    /// The proof that a consent record stands in the ledger (C2SP tlog-proof). Scope: read.
    ///
    /// ```swift
    /// let proof = try await acme.proof(ofConsent: "3440a67a37cb65a7")
    /// ```
    public func proof(ofConsent id: String) async throws -> String {
        try await transport.text("\(path)/consents/\(try PathSegment(id))/proof")
    }

    /// Hashes of the tree (C2SP tlog-tiles), which never change. Scope: read.
    ///
    /// ```swift
    /// let leaves = try await acme.tile(level: 0, index: 67)
    /// ```
    /// - Parameters:
    ///   - level: 0 for the leaves, 1 for the roots of 256 each, and so on up to 63.
    ///   - index: the index of the tile on its level, from 0.
    ///   - width: how many hashes: 256, or 1 to 255 from the beginning of the tile at the right edge of a tree.
    /// - Returns: hashes of 32 bytes, as many as `width`.
    /// - Throws: ``ConsentLinkError/refused(_:)`` with 404 if the tree does not have the tile yet.
    public func tile(level: Int, index: Int, width: Int = LedgerTile.width) async throws -> [[UInt8]] {
        let tile = try LedgerTile(.hashes(level: level), index: index, width: width)
        return try tile.hashes(in: try await transport.bytes("\(path)/ledger/\(tile)"))
    }

    /// Entries of the ledger, which never change. Scope: read.
    ///
    /// ```swift
    /// let first = try await acme.ledgerEntries(ofTile: 0, width: 10)
    /// ```
    /// - Parameters:
    ///   - index: the index of the tile of level 0 that has the hashes of the entries, from 0.
    ///   - width: as in ``tile(level:index:width:)``.
    /// - Returns: entries as they are hashed into the tree (JSON), as many as `width`.
    public func ledgerEntries(ofTile index: Int, width: Int = LedgerTile.width) async throws -> [[UInt8]] {
        let tile = try LedgerTile(.entries, index: index, width: width)
        return try tile.entries(in: try await transport.bytes("\(path)/ledger/\(tile)"))
    }

    /// The entries of the ledger one by one, from `first` on, in constant memory. Scope: read.
    ///
    /// ```swift
    /// for try await entry in acme.ledgerEntries(upTo: try await acme.ledger().size) { … }
    /// ```
    /// - Parameters:
    ///   - first: the index of the first entry, from 0.
    ///   - size: how many entries the ledger has, from ``LedgerHead/size``.
    public func ledgerEntries(from first: Int = 0, upTo size: Int) -> LedgerEntries {
        LedgerEntries(api: self, first: max(first, 0), size: size)
    }
}
