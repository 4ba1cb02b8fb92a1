package import Identifiers

/// Reads the ledgers that the other stores write: an entry comes into being with what it is about, in one transaction.
///
/// Everything may be called at once from anywhere and sees what is durable. Rows are rendered as they are found: where
/// somebody changed them, they no longer hash to what the tree has, which the verifier finds out.
package protocol LedgerStore: Sendable {
    /// Whose ledger it is and how large; `nil` when there is no such organization or nothing was entered yet.
    func head(of organization: OrganizationID) async throws -> LedgerHead?

    /// The first `width` hashes of a tile; `nil` when the tree has not so many there.
    func tile(_ id: TileID, width: Int, in organization: OrganizationID) async throws -> Tile?

    /// The entries from leaf `first` on, at most `count`, in the order of the tree. A row that cannot be read is left
    /// out, and closes the ledger.
    func entries(from first: UInt64, count: Int, in organization: OrganizationID) async throws -> [LedgerItem]

    /// The entry of a decision; `nil` when the ledger has none such.
    func entry(of decision: DecisionID, in organization: OrganizationID) async throws -> LedgerItem?

    /// The entry of a consent record; `nil` when the ledger has none such.
    func entry(of consent: ConsentRecordID, in organization: OrganizationID) async throws -> LedgerItem?

    /// The entry of an access; `nil` when the ledger has none such.
    func entry(of access: AccessID, in organization: OrganizationID) async throws -> LedgerItem?

    /// The decisions whose entries stand at these leaves, by leaf; a leaf with another entry, or with none, is left out.
    /// A few steps in indexes for each, however large the ledger.
    func decisions(at leaves: [UInt64], in organization: OrganizationID) async throws -> [UInt64: DecisionID]

    /// How many of the first `size` entries stand before `instant`: the leaf behind the last decision or consent record
    /// that was made before it.
    func size(before instant: Timestamp, of size: UInt64, in organization: OrganizationID) async throws -> UInt64

    /// Keeps in memory what opens the entries of recipients erased from now on, as long as the result lives.
    func keepErased(of organization: OrganizationID) async throws -> ErasedOpenings
}

/// A ledger as it stands.
package struct LedgerHead: Hashable, Sendable {
    /// The name of the log and of its key: public host and organization, as they were when it began.
    package let origin: String
    package let head: TreeHead

    package init(origin: String, head: TreeHead) {
        self.origin = origin
        self.head = head
    }
}
