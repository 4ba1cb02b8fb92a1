package import Identifiers

/// What the signer needs of the ledgers: which of them have grown, whether they still agree with their last signature,
/// and a place for the last checkpoint. All calls may be concurrent.
package protocol CheckpointStore: LedgerStore {
    /// Begins the ledger of every organization that has none, and returns all organizations. Is called when a service
    /// starts.
    func begin(at now: Timestamp) async throws -> [OrganizationID]

    /// The name of a ledger, which is also the name of the key that signs it; `nil` if there is no such organization. An
    /// organization has a ledger from ``begin(at:)`` or its own beginning on.
    ///
    /// - Throws: `LedgerInconsistency` if the ledger of the organization has no name any more. Then it is closed.
    func origin(of organization: OrganizationID) async throws -> String?

    /// Checks whether the ledger, according to its present rows and tiles, continues the tree with this `head`. If not,
    /// closes the ledger. Reads the frontier's rows, and all rows only to find the one that disagrees.
    ///
    /// - Returns: the reason for closing it; `nil` if it continues the tree.
    func check(_ organization: OrganizationID, against head: TreeHead) async throws -> LedgerInconsistency?

    /// The ledgers into which this process has entered, as they were after its last commit to each of them. They are in
    /// memory: whatever happens to the database, an earlier state of it does not replace them.
    var committedHeads: [OrganizationID: TreeHead] { get }

    /// Closes the ledger: from now on every write that would enter something is refused with `reason`.
    func close(because reason: LedgerInconsistency)

    /// - Parameter body: is called once for each closed ledger, including those that are closed already. Must be quick.
    func onInconsistency(_ body: @escaping @Sendable (LedgerInconsistency) -> Void)

    /// The reasons why ledgers are closed.
    var inconsistencies: [LedgerInconsistency] { get }

    /// The signed note that was stored last; `nil` if there is none.
    func checkpoint(of organization: OrganizationID) async throws -> String?

    /// Replaces the signed note that the signer knows by another one, in one step: of several signers that know the
    /// same note, one succeeds. Durable on return.
    ///
    /// Storing the same note again succeeds and changes nothing, so a signer that did not get the answer may try again.
    ///
    /// - Parameter head: the head in the note that the signer knows; `nil` if it knows none.
    /// - Throws: `CheckpointMoved` if another note is stored.
    func keep(checkpoint: String, of organization: OrganizationID, after head: TreeHead?) async throws

    /// Seals the present state of a ledger, unless its tree is not the one with this `head`, which was signed: of a
    /// database from before the seals. Durable on return.
    func seal(_ organization: OrganizationID, at head: TreeHead) async throws

    /// Whether other processes also enter into the ledgers and sign them. Then the last signature of this process need
    /// not be the newest.
    var isShared: Bool { get }

    /// The ledgers that have grown since the last call.
    func drainGrown() -> Set<OrganizationID>

    /// The ledgers that have entries behind their last checkpoint, and its size.
    func unsigned() async throws -> [OrganizationID: UInt64]

    /// Makes ``drainGrown()`` return these ledgers, too.
    func addGrown(_ organizations: Set<OrganizationID>)

    /// - Parameter body: is called after each commit with which a ledger grew. Must be quick.
    func onGrowth(_ body: @escaping @Sendable () -> Void)
}
