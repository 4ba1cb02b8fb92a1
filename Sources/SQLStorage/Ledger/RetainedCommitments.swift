import Consent
import Identifiers
import Ledger
import SQL

/// The commitments of entries that can no longer be computed from their rows: entries about erased recipients, and
/// decisions and accesses whose retention has ended. For accesses to a recipient that the storage has no data about,
/// they are kept from the beginning.
enum RetainedCommitments {
    /// How many entries of a recipient have kept commitments now. Rows older than the ledger have no entry.
    struct Count {
        var consents = 0
        var decisions = 0
    }

    /// Keeps the commitment of every entry about a recipient. Must be called while the salts and the private fields
    /// still exist.
    static func keep(
        of recipient: Int64, in organization: Int64, named id: OrganizationID, _ writing: WriteContext
    ) throws -> Count {
        var count = Count()
        let db = writing.db
        let consents = try db.statement("SELECT id FROM consents WHERE organization = ? AND recipient = ?")
            .all(organization, recipient) { $0.integer(0) }
        count.consents = try keep(.consent, consents, organization, named: id, writing)
        for volume in try LogVolumes.all(of: .decisions, db) {
            let decisions = try db.statement("SELECT id FROM decisions WHERE volume = ? AND recipient = ?")
                .all(volume, recipient) { $0.integer(0) }
            count.decisions += try keep(.decision, decisions, organization, named: id, writing)
        }
        let accesses = try db.statement("SELECT id FROM accesses WHERE recipient = ?").all(recipient) { $0.integer(0) }
        try keep(.access, accesses, organization, named: id, writing)
        return count
    }

    /// Keeps the commitments of the entries of these rows. Must be called before their private fields are forgotten.
    /// - Returns: the number of rows that have an entry.
    @discardableResult
    static func keep(
        _ kind: LedgerKind, _ ids: [Int64], _ organization: Int64, named name: OrganizationID, _ writing: WriteContext
    ) throws -> Int {
        guard !ids.isEmpty else { return 0 }
        let exports = writing.ledgers.frontiers.exports(of: name)
        let size = exports.isEmpty ? 0 : try LedgerTree.size(of: organization, writing.db)
        let insert = try insertion(writing.db)
        let rows = LedgerRows(organization, writing.db)
        var renderer = EntryRenderer()
        var kept: [(id: Int64, commitment: Commitment)] = []
        try rows.forRows(kind, ids, &renderer) { id, location, rendered in
            guard case .salt(let salt) = location.commitment, let commitment = rendered.commitment(under: salt)
            else { return }
            kept.append((id, commitment))
            guard !exports.isEmpty, !rendered.fields.isEmpty else { return }
            let opening = LedgerItem.Opening(salt: salt, fields: rendered.fields)
            for export in exports { export.add(opening, of: location.leaf, at: size) }
        }
        for row in kept { try insert.run(kind, row.id, row.commitment) }
        return kept.count
    }

    /// Its parameters are the kind of an entry, the id of its row, and the commitment.
    static func insertion(_ db: any SQLConnection) throws -> SQLStatement {
        try db.statement("INSERT INTO kept_commitments (kind, id, commitment) VALUES (?, ?, ?)")
    }
}
