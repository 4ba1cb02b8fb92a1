package import Identifiers

/// What the signer needs of the ledgers: which have grown, whether they are what was signed last, and a place for the
/// last checkpoint. Everything may be called at once from anywhere.
package protocol CheckpointStore: LedgerStore {
    /// Begins the ledger of every organization that has none, and names them all. For the start of a service.
    func begin(at now: Timestamp) async throws -> [OrganizationID]

    /// The name of a ledger, which says also whose key signs it; `nil` when there is no such ledger.
    func origin(of organization: OrganizationID) async throws -> String?

    /// Looks whether the ledger, as its rows and tiles have it now, is one that was signed with this `head` once; a
    /// ledger that is not is closed. Reads the frontier's rows, and all rows only to name the one that disagrees.
    ///
    /// - Returns: why it was closed.
    func check(_ organization: OrganizationID, against head: TreeHead) async throws -> LedgerInconsistency?

    /// From now on nothing is entered into the ledger: whatever would be is refused with `reason`.
    func close(because reason: LedgerInconsistency)

    /// - Parameter body: is called once for each ledger that is closed, those that are closed already included; must be
    ///   quick.
    func onInconsistency(_ body: @escaping @Sendable (LedgerInconsistency) -> Void)

    /// Why ledgers are closed.
    var inconsistencies: [LedgerInconsistency] { get }

    /// The signed note that was kept last; `nil` when none was.
    func checkpoint(of organization: OrganizationID) async throws -> String?

    /// Keeps a signed note in the place of the one that its signer knows of, in one step: of several signers that know
    /// the same, one succeeds. Durable on return.
    ///
    /// The same note again changes nothing and succeeds, so a signer that did not get the answer may repeat itself.
    ///
    /// - Parameter head: what the note that was kept last says; `nil` when none was.
    /// - Throws: `CheckpointMoved` when that is not the one that is kept.
    func keep(checkpoint: String, of organization: OrganizationID, after head: TreeHead?) async throws

    /// Whether others enter into the ledgers, too, and sign them: then what this process signed last need not be the newest.
    var isShared: Bool { get }

    /// The ledgers that grew since this was asked last.
    func takeGrown() -> Set<OrganizationID>

    /// The ledgers that have entries behind their last checkpoint, and the size of that.
    func unsigned() async throws -> [OrganizationID: UInt64]

    /// As if these ledgers had just grown.
    func noteGrown(_ organizations: Set<OrganizationID>)

    /// - Parameter body: is called after each commit that a ledger grew with; must be quick.
    func onGrowth(_ body: @escaping @Sendable () -> Void)
}
