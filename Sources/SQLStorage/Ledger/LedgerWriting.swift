import Ledger
package import SQL

/// The ledgers inside the present transaction. There is one, and it lives on the writer's thread.
package final class LedgerWriting: TransactionParticipant {
    var edges: LedgerFrontiers
    var renderer: EntryRenderer
    var hasher = TreeHasher()
    /// What the names of ledgers that begin now start with: the host of the service, as the public sees it.
    let host: String

    package init(_ committed: CommittedLedgers, host: String) {
        edges = LedgerFrontiers(committed)
        renderer = EntryRenderer()
        self.host = host
    }

    package var mark: Int { edges.mark }

    package func undo(to mark: Int) { edges.undo(to: mark) }

    package func finish(_ db: any SQLConnection) throws {
        guard db.dialect.hasSeveralWriters else { return }
        for (organization, edge) in edges.changed { try LedgerEdgeRow.keep(edge, of: organization, db) }
    }

    package func didCommit() { edges.noteCommit() }

    package func forget() { edges.forget() }
}

extension WriteContext {
    /// The ledgers, which take part in every transaction of the database.
    var ledgers: LedgerWriting {
        guard let ledgers = taking(LedgerWriting.self) else { preconditionFailure("a database without ledgers") }
        return ledgers
    }
}
