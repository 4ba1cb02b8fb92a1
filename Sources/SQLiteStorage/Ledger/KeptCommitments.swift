import Consent
import GRDB
import Identifiers
import Ledger

/// What entries were committed to that no longer say it themselves: of erased people, and of decisions whose time is
/// over.
enum KeptCommitments {
    /// Keeps the commitment of every entry about a person, while there are still the salt and the fields to make it of.
    static func keep(of recipient: Int64, in organization: Int64, _ writing: Writing) throws {
        let db = writing.db
        let consents = try db.statement("SELECT id FROM consents WHERE organization = ? AND recipient = ?")
            .all(organization, recipient) { $0.integer(0) }
        try keep(.consent, consents, organization, writing)
        for volume in try LogVolumes.all(of: .decisions, db) {
            let decisions = try db.statement("SELECT id FROM decisions WHERE volume = ? AND recipient = ?")
                .all(volume, recipient) { $0.integer(0) }
            try keep(.decision, decisions, organization, writing)
        }
    }

    /// Keeps the commitments of these entries, before what they were made of is forgotten.
    static func keep(_ kind: LedgerKind, _ ids: [Int64], _ organization: Int64, _ writing: Writing) throws {
        guard !ids.isEmpty else { return }
        let insert = try writing.db.statement(
            "INSERT INTO kept_commitments (kind, id, commitment) VALUES (?, ?, ?)")
        let rows = LedgerRows(organization, writing.db)
        var renderer = EntryRenderer()
        for id in ids {
            var commitment: Commitment?
            try rows.forRow(kind, id, &renderer) { place, rendered in
                if case .salt(let salt) = place.seal { commitment = rendered.commitment(under: salt) }
            }
            if let commitment { try insert.run(kind, id, commitment) }
        }
    }
}
