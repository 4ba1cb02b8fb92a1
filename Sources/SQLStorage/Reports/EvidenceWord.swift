import Consent
import Cryptography
import SQL

/// A part of evidence that records are counted by: the method, or the notice with its version.
struct EvidenceWord: Hashable {
    enum Kind: Int64, CaseIterable {
        case method = 1
        case notice = 2

        /// Of ``ConsentCountTable``. Never changes.
        var series: Int64 { self == .method ? 6 : 7 }
    }

    let kind: Kind
    /// The part alone, as evidence is stored.
    let content: String

    static func all(of evidence: ConsentEvidence) -> [EvidenceWord] {
        var words: [EvidenceWord] = []
        if let method = evidence.method, !method.isEmpty {
            words.append(EvidenceWord(kind: .method, content: EvidenceJSON.encode(ConsentEvidence(method: method))))
        }
        if let notice = evidence.notice, notice.id != nil || notice.version != nil {
            let part = ConsentEvidence.Notice(id: notice.id, version: notice.version)
            words.append(EvidenceWord(kind: .notice, content: EvidenceJSON.encode(ConsentEvidence(notice: part))))
        }
        return words
    }
}

/// The words of evidence that an organization's records are counted by.
///
/// Evidence is free text that may say something of its recipient, so it is forgotten with them: a word goes when the
/// last record with it was erased (its counts stay, under no name), and its text is overwritten where it stands. An
/// organization has a bounded number of words; further ones are counted together.
enum EvidenceWordTable {
    /// Of each kind.
    static let most: Int64 = 200
    /// Stands for all words that have no number of their own.
    static let others: Int64 = 0

    /// So many more records have a word.
    /// - Returns: the numbers of words; `nil` for what is counted with the others.
    static func use(
        _ records: [ConsentCountTable.WordOwner: Int64], _ db: any SQLConnection
    ) throws -> [ConsentCountTable.WordOwner: Int64] {
        let add = try db.rows(
            """
            INSERT INTO evidence_word_uses (word, records) VALUES (?, ?)
            ON CONFLICT (word) DO UPDATE
                SET records = \(KeptCount.bounded("evidence_word_uses.records", in: db.dialect)) + excluded.records
            """
        )
        var numbers: [ConsentCountTable.WordOwner: Int64] = [:]
        for (owner, count) in records {
            guard let number = try findOrInsert(owner, db) else { continue }
            numbers[owner] = number
            try add.add(number, count)
        }
        try add.finish()
        return numbers
    }

    private static func findOrInsert(_ owner: ConsentCountTable.WordOwner, _ db: any SQLConnection) throws -> Int64? {
        let (digest, kind) = (SHA256.hash(of: Array(owner.word.content.utf8)), owner.word.kind.rawValue)
        if let known = try find(digest, kind, owner.organization, db) { return known }
        let count = try db.statement(
            "SELECT count(*) FROM evidence_words WHERE organization = ? AND kind = ? AND digest IS NOT NULL"
        ).first(owner.organization, kind) { $0.integer(0) }
        guard count ?? 0 < most else { return nil }
        return try db.statement(
            """
            INSERT INTO evidence_words (organization, kind, digest, content) VALUES (?, ?, ?, ?)
            \(db.dialect.returningNumber)
            """
        ).newNumber(owner.organization, kind, digest, PersonalText(owner.word.content))
    }

    private static func find(
        _ digest: [UInt8], _ kind: Int64, _ organization: Int64, _ db: any SQLConnection
    ) throws -> Int64? {
        try db.statement("SELECT number FROM evidence_words WHERE organization = ? AND kind = ? AND digest = ?")
            .first(organization, kind, digest) { $0.integer(0) }
    }

    /// The evidence of so many records is erased. Must be called inside the write that erases it.
    /// - Parameter isFilling: whether records with these words may not be counted yet; then ``forgetUnused(_:)`` comes
    ///   at the end of that.
    static func forget(
        _ records: [EvidenceWord: Int64], of organization: Int64, isFilling: Bool, _ db: any SQLConnection
    ) throws {
        for (word, count) in records {
            guard let number = try find(SHA256.hash(of: Array(word.content.utf8)), word.kind.rawValue, organization, db)
            else { continue }
            let stored = try db.statement("SELECT records FROM evidence_word_uses WHERE word = ?")
                .first(number) { $0.integer(0) }
            let left = max(0, KeptCount.read(stored ?? 0) - Int(count))
            try db.statement("UPDATE evidence_word_uses SET records = ? WHERE word = ?").run(left, number)
            guard left == 0, !isFilling else { continue }
            try db.statement("UPDATE evidence_words SET digest = NULL, content = NULL WHERE number = ?").run(number)
        }
    }

    /// Forgets the words that no record has.
    static func forgetUnused(_ db: any SQLConnection) throws {
        try db.statement(
            """
            UPDATE evidence_words SET digest = NULL, content = NULL
            WHERE digest IS NOT NULL AND number IN (SELECT word FROM evidence_word_uses WHERE records = 0)
            """
        ).run()
    }

    /// The words of an organization that are not forgotten, by their numbers. One that cannot be read is left out: its
    /// records count with the others.
    static func all(
        _ kind: EvidenceWord.Kind, of organization: Int64, _ db: any SQLConnection
    ) throws -> [Int64: ConsentEvidence] {
        var words: [Int64: ConsentEvidence] = [:]
        try db.statement(
            "SELECT number, content FROM evidence_words WHERE organization = ? AND kind = ? AND digest IS NOT NULL"
        ).forEach(organization, kind.rawValue) { row in
            if let text = try? row.personalText(1), let evidence = try? EvidenceJSON.decode(text) {
                words[row.integer(0)] = evidence
            }
            return true
        }
        return words
    }
}
