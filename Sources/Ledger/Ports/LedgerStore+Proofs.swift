package import Identifiers

extension LedgerStore {
    /// Proves that the tree of `size` entries begins with that of `old` entries; `nil` if it never had so many.
    package func consistencyProof(
        from old: UInt64, to size: UInt64, in organization: OrganizationID
    ) async throws -> ConsistencyProof? {
        guard let nodes = ProofNodes(consistencyFrom: old, to: size), let hashes = try await hashes(nodes, organization)
        else { return nil }
        return ConsistencyProof(oldSize: old, hashes: hashes)
    }

    /// Proves that an entry is in the tree of `size` entries; `nil` if the tree does not have it.
    package func inclusionProof(
        of leaf: UInt64, in size: UInt64, of organization: OrganizationID
    ) async throws -> InclusionProof? {
        guard let nodes = ProofNodes(inclusionOf: leaf, inTreeOf: size),
            let hashes = try await hashes(nodes, organization)
        else { return nil }
        return InclusionProof(index: leaf, hashes: hashes)
    }

    private func hashes(_ nodes: ProofNodes, _ organization: OrganizationID) async throws -> [TreeHash]? {
        var tiles: [TileID: Tile] = [:]
        for id in nodes.tiles {
            let width = id.width(inTreeOf: nodes.size)
            guard width > 0, let tile = try await tile(id, width: width, in: organization) else { return nil }
            tiles[id] = tile
        }
        var hasher = TreeHasher()
        return nodes.hashes(in: { tiles[$0] }, &hasher)
    }
}
