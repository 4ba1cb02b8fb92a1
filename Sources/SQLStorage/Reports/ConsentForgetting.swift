import Consent
import Identifiers
import Reports
import SQL

/// Removes an erased recipient from the consent counts: from now on they count under no status, and the words of their
/// evidence are removed unless other recipients have them. Counts of past days stay, because they name no recipient.
enum ConsentForgetting {
    /// Must be called while the records still name the recipient.
    static func forget(
        _ recipient: Int64, of organization: Int64, at now: Timestamp, _ db: any SQLConnection
    ) throws {
        let isCounting = try ConsentCountFilling.fill(recipient, of: organization, db)
        var last: [Int64: ConsentInForce] = [:]
        var words: Set<EvidenceWord> = []
        try db.statement(
            """
            SELECT purpose, id, state, occurred_at, valid_until, evidence
            FROM consents INDEXED BY consents_in_force WHERE organization = ? AND recipient = ?
            """
        ).forEach(organization, recipient) { row in
            guard let record = try? ConsentRecordRow.inForce(row, id: 1, state: 2, occurredAt: 3, validUntil: 4)
            else { return true }
            if let purpose = try row.ifReadable({ row.integer(0) }), last[purpose].map(record.outranks) ?? true {
                last[purpose] = record
            }
            if record.state == .given, let text = try row.ifReadable({ try row.personalText(5) }) ?? nil,
                let evidence = try? EvidenceJSON.decode(text)
            {
                words.formUnion(EvidenceWord.all(of: evidence))
            }
            return true
        }
        var batch = ConsentCountBatch()
        for (purpose, record) in last {
            batch.change(.init(organization: organization, purpose: purpose)) {
                $0.addErasure(of: record, at: now)
            }
        }
        try batch.store(db)
        try EvidenceWordTable.forget(
            words, of: recipient, in: organization, isFilling: isCounting || !EvidenceWordFilling.isFinished(db), db)
    }
}
