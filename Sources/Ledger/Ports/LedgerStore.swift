package import Identifiers

/// Reads the ledgers. The other stores write them: an entry is written in one transaction with its row.
///
/// All calls may be concurrent and see what is durable. Rows are rendered as they are found. If a row was changed, its
/// hash differs from the one in the tree, which the verifier detects.
package protocol LedgerStore: Sendable {
    /// The name and the size of a ledger; `nil` if there is no such organization or its ledger has no entry yet.
    func head(of organization: OrganizationID) async throws -> LedgerHead?

    /// The first `width` hashes of a tile; `nil` if the tree does not have so many there.
    func tile(_ id: TileID, width: Int, in organization: OrganizationID) async throws -> Tile?

    /// The entries from leaf `first` on, at most `count`, in the order of the tree. A row that cannot be read is left
    /// out and closes the ledger.
    func entries(from first: UInt64, count: Int, in organization: OrganizationID) async throws -> [LedgerItem]

    /// The entry of a decision; `nil` if the ledger has none.
    func entry(of decision: DecisionID, in organization: OrganizationID) async throws -> LedgerItem?

    /// The entry of a consent record; `nil` if the ledger has none.
    func entry(of consent: ConsentRecordID, in organization: OrganizationID) async throws -> LedgerItem?

    /// The entry of an access; `nil` if the ledger has none.
    func entry(of access: AccessID, in organization: OrganizationID) async throws -> LedgerItem?

    /// The decisions whose entries are at these leaves, by leaf. A leaf with another entry, or without one, is left
    /// out. Takes a few steps in indexes for each, however large the ledger is.
    func decisions(at leaves: [UInt64], in organization: OrganizationID) async throws -> [UInt64: DecisionID]

    /// How many of the first `size` entries are older than `instant`: the leaf behind the last decision or consent
    /// record that was made before it.
    func size(before instant: Timestamp, of size: UInt64, in organization: OrganizationID) async throws -> UInt64

    /// Keeps in memory the openings of the entries of recipients who are erased from now on, as long as the result
    /// lives.
    func keepErased(of organization: OrganizationID) async throws -> ErasedOpenings
}

/// The present state of a ledger.
package struct LedgerHead: Hashable, Sendable {
    /// The name of the log and of its key: public host and organization at the time when the ledger began.
    package let origin: String
    package let head: TreeHead
    /// `false` if a node must have sealed this state and none has: then entries were written into the database without
    /// a node, or hashes were changed.
    package let isSealed: Bool

    package init(origin: String, head: TreeHead, isSealed: Bool = true) {
        self.origin = origin
        self.head = head
        self.isSealed = isSealed
    }
}
