import Ledger
package import SQL

/// The ledgers inside the present transaction. There is one such object, and it is used on the writer's thread.
package final class LedgerWriting: TransactionParticipant {
    var frontiers: LedgerFrontiers
    var renderer: EntryRenderer
    var hasher = TreeHasher()
    /// The public host of the service, with which the names of new ledgers begin.
    let host: String

    package init(_ committed: CommittedLedgers, host: String) {
        frontiers = LedgerFrontiers(committed)
        renderer = EntryRenderer()
        self.host = host
    }

    package var savepoint: Int { frontiers.savepoint }

    package func undo(to savepoint: Int) { frontiers.undo(to: savepoint) }

    package func finish(_ db: any SQLConnection) throws {
        guard db.dialect.hasSeveralWriters, let seals = frontiers.seals else { return }
        for changed in frontiers.changed {
            try LedgerFrontierRow.keep(changed.frontier, of: changed.organization, named: changed.id, seals, db)
        }
    }

    package func didCommit() { frontiers.didCommit() }

    package func forget() { frontiers.forget() }
}

extension WriteContext {
    /// The ledgers, which take part in every transaction of the database.
    var ledgers: LedgerWriting {
        guard let ledgers = taking(LedgerWriting.self) else { preconditionFailure("a database without ledgers") }
        return ledgers
    }
}
