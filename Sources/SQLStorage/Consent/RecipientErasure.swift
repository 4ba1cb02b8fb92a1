import Consent
import Cryptography
import Identifiers
import Ledger
import SQL

/// The result of an erasure.
struct RecipientErasure: Sendable {
    let erasure: ErasureCounts
    /// The reference that no longer stands for a recipient; `nil` if there was none.
    let reference: RecipientReference?
    /// The counts in the ledger's entry of the erasure, without rows older than the ledger, which have no entry.
    var entered: ErasureCounts
    /// How many accesses no longer name the recipient.
    var accesses = 0

    /// Overwrites what names a recipient and removes all references to them, inside a write.
    ///
    /// An unknown identifier is marked as erased too, because a request about it may be on its way. A second erasure of
    /// the same recipient changes nothing.
    static func erase(
        _ hash: HMACSHA256.Tag,
        in id: OrganizationID,
        at now: Timestamp,
        _ writing: WriteContext
    ) throws -> RecipientErasure {
        let db = writing.db
        let row = try OrganizationRow.require(id, db)
        let organization = row.number
        let recipients = try RecipientTable(organization: organization, writing)
        let known = try recipients.person(hash)
        if known == KnownRecipient(recipient: nil, isErased: true) { return .nothing }
        var ledger = try LedgerAppend(row, named: id, at: now, writing)

        try recipients.markErased(hash, known: known)
        let erasures = KeptCount.beginningAgain("organizations.erasures")
        try db.statement("UPDATE organizations SET erasures = \(erasures) + 1 WHERE number = ?").run(organization)
        let erased =
            if let recipient = known?.recipient {
                try cut(recipient, of: organization, named: id, at: now, recipients, writing)
            } else {
                nothing
            }
        try ledger.add(.erasure(at: now, erased.entered))
        if erased.accesses > 0 { try ledger.add(.accessesForgotten(at: now, accesses: erased.accesses)) }
        try ledger.finish()
        return erased
    }

    private static let nothing: RecipientErasure = {
        let erasure = ErasureCounts(consents: 0, decisions: 0, interactions: 0)
        return RecipientErasure(erasure: erasure, reference: nil, entered: erasure)
    }()

    private static func cut(
        _ recipient: Int64, of organization: Int64, named id: OrganizationID, at now: Timestamp,
        _ recipients: RecipientTable, _ writing: WriteContext
    ) throws -> RecipientErasure {
        let db = writing.db
        let entries = try RetainedCommitments.keep(of: recipient, in: organization, named: id, writing)
        try db.statement("UPDATE recipients SET identifier = NULL WHERE number = ?").run(recipient)
        try db.statement("DELETE FROM tracked_unasked WHERE organization = ? AND recipient = ?")
            .run(organization, recipient)
        try db.statement("DELETE FROM first_interactions WHERE recipient = ?").run(recipient)
        try ReportForgetting.forget(recipient, db)
        try ConsentForgetting.forget(recipient, of: organization, at: now, db)
        try ConsentRequestForgetting.forget(recipient, db)
        let consents = try db.count(
            changedBy: """
                UPDATE consents SET recipient = NULL, evidence = NULL, salt = NULL
                WHERE organization = ? AND recipient = ?
                """, organization, recipient)
        let decisions = try cut(
            recipient, from: .decisions, setting: "recipient = NULL, consent = NULL, salt = NULL", db)
        let interactions = try cut(recipient, from: .interactions, setting: "recipient = NULL", db)
        return try RecipientErasure(
            erasure: ErasureCounts(consents: consents, decisions: decisions, interactions: interactions),
            reference: recipients.reference(of: recipient),
            entered: ErasureCounts(
                consents: entries.consents, decisions: entries.decisions, interactions: interactions),
            accesses: AccessForgetting.forget(recipient, db))
    }

    private static func cut(
        _ recipient: Int64,
        from log: LogVolumes.Log,
        setting values: String,
        _ db: any SQLConnection
    ) throws -> Int {
        let update = "UPDATE \(log.rawValue) SET \(values) WHERE volume = ? AND recipient = ?"
        return try LogVolumes.all(of: log, db).reduce(0) { count, volume in
            try count + db.count(changedBy: update, volume, recipient)
        }
    }
}

extension SQLConnection {
    /// The number of rows that `update` changes.
    fileprivate func count<each Value: SQLBindable>(
        changedBy update: String,
        _ values: repeat each Value
    ) throws -> Int {
        try statement(update).changes(repeat each values)
    }
}
