import GRDB
import Identifiers
import Ledger
import SQLiteFiles

/// The ledgers inside the present transaction. There is one, and it lives on the writer's queue.
final class LedgerWriting: TransactionParticipant {
    var edges: LedgerEdges
    var renderer: EntryRenderer
    var hasher = TreeHasher()
    /// What the names of ledgers that begin now start with: the host of the service, as the public sees it.
    let host: String

    init(_ committed: CommittedLedgers, host: String) {
        edges = LedgerEdges(committed)
        renderer = EntryRenderer()
        self.host = host
    }

    var mark: Int { edges.mark }

    func undo(to mark: Int) { edges.undo(to: mark) }

    func didCommit() { edges.noteCommit() }
}

extension Writing {
    /// The main file is opened with the ledgers as what takes part in its transactions.
    var ledgers: LedgerWriting {
        guard let ledgers = participant as? LedgerWriting else { preconditionFailure("a main file without ledgers") }
        return ledgers
    }
}

/// The row of a ledger.
enum LedgerRow {
    static func origin(of organization: Int64, _ db: Database) throws -> String? {
        try db.statement("SELECT origin FROM ledgers WHERE organization = ?").first(organization) { $0.text(0) }
    }

    /// - Returns: whether it begins now.
    static func begin(of organization: Int64, named id: OrganizationID, host: String, _ db: Database) throws -> Bool {
        try db.statement("INSERT OR IGNORE INTO ledgers (organization, origin) VALUES (?, ?)")
            .run(organization, "\(host)/\(id)")
        return db.changesCount > 0
    }

    static func checkpoint(of organization: Int64, _ db: Database) throws -> String? {
        try db.statement("SELECT checkpoint FROM ledgers WHERE organization = ?")
            .first(organization) { $0.optionalText(0) } ?? nil
    }

    static func keep(checkpoint: String, of organization: Int64, _ db: Database) throws {
        try db.statement("UPDATE ledgers SET checkpoint = ? WHERE organization = ?").run(checkpoint, organization)
    }
}
