import ASCII
import Consent
package import SQL

/// Notes the recipients of each word of evidence, for records that are older than that table, recipient by recipient,
/// in steps that can be interrupted. Must be called after the records are counted (``ConsentCountFilling``).
///
/// Records that are stored meanwhile are noted by their own writes. It does no harm to note a word twice.
package enum EvidenceWordFilling {
    static let recordsAtOnce = 50_000

    /// Notes some of the remaining words, inside a write that does nothing else.
    /// - Returns: whether more may remain. Costs one look-up if everything is noted.
    package static func step(_ db: any SQLConnection) throws -> Bool {
        try step(db, recordsAtOnce: recordsAtOnce)
    }

    static func isFinished(_ db: any SQLConnection) throws -> Bool { try place(db) == nil }

    static func step(_ db: any SQLConnection, recordsAtOnce: Int) throws -> Bool {
        guard var place = try place(db) else { return false }
        var recipients: [ConsentCountTable.WordOwner: Set<Int64>] = [:]
        // A cache, because most records have one of few texts.
        var words: [ComparedByBytes: [EvidenceWord]] = [:]
        var isMore = false
        var records = 0
        try db.longStatement(
            """
            SELECT organization, recipient, state, evidence FROM consents INDEXED BY consents_in_force
            WHERE (organization, recipient) > (?, ?) AND recipient IS NOT NULL ORDER BY organization, recipient
            """
        ).forEach(place.organization, place.recipient) { row in
            let next = (row.integer(0), row.integer(1))
            if records >= recordsAtOnce, next != (place.organization, place.recipient) {
                isMore = true
                return false
            }
            (place.organization, place.recipient) = next
            records += 1
            let evidence = try row.ifReadable {
                try ConsentState(code: row.integer(2)) == .given ? try row.personalText(3) : nil
            }
            guard let stored = evidence ?? nil else { return true }
            let text = ComparedByBytes(stored)
            if words[text] == nil { words[text] = (try? EvidenceJSON.decode(stored)).map(EvidenceWord.all) ?? [] }
            for word in words[text] ?? [] {
                recipients[.init(organization: next.0, word: word), default: []].insert(next.1)
            }
            return true
        }
        try EvidenceWordTable.store(recipients, db)
        if isMore {
            try db.statement("UPDATE evidence_word_filling SET organization = ?, recipient = ?")
                .run(place.organization, place.recipient)
        } else {
            try EvidenceWordTable.forgetUnused(db)
            try db.statement("DELETE FROM evidence_word_filling").run()
        }
        return isMore
    }

    /// The last recipient whose words are noted; `nil` if all are.
    private static func place(_ db: any SQLConnection) throws -> (organization: Int64, recipient: Int64)? {
        try db.statement("SELECT organization, recipient FROM evidence_word_filling").first {
            ($0.integer(0), $0.integer(1))
        }
    }
}
