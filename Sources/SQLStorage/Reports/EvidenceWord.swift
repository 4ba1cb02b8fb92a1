import ASCII
import Consent
import Cryptography
import SQL

/// A part of evidence that records are counted by: the method, or the notice with its version.
struct EvidenceWord: Hashable {
    enum Kind: Int64, CaseIterable {
        case method = 1
        case notice = 2

        /// The series in ``ConsentCountTable``. Never changes.
        var series: Int64 { self == .method ? 6 : 7 }
    }

    let kind: Kind
    /// Only this part, in the form in which evidence is stored.
    @ComparedByBytes var content: String

    var digest: [UInt8] { SHA256.hash(of: Array(content.utf8)) }

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

/// The words of evidence by which an organization's records are counted, and the recipients of each word.
///
/// Evidence is free text that may say something about its recipient, so it is forgotten with the recipient: when the
/// last recipient with a word is erased, the text of the word is overwritten in place. Its counts stay, without a name.
/// An organization has a bounded number of words; further ones are counted together.
enum EvidenceWordTable {
    /// The greatest number of words of each kind.
    static let maximumCount: Int64 = 200
    /// Stands for all words that have no number of their own.
    static let others: Int64 = 0

    /// Notes that these recipients have records with the words.
    /// - Returns: the numbers of words; `nil` for a word that is counted together with others.
    static func use(
        _ recipients: [ConsentCountTable.WordOwner: Set<Int64>], _ db: any SQLConnection
    ) throws -> [ConsentCountTable.WordOwner: Int64] {
        var numbers: [ConsentCountTable.WordOwner: Int64] = [:]
        for owner in recipients.keys { numbers[owner] = try findOrInsert(owner, db) }
        try add(recipients, to: numbers, db)
        return numbers
    }

    /// Notes the recipients of words that have a number. It may be called again with the same ones.
    static func store(_ recipients: [ConsentCountTable.WordOwner: Set<Int64>], _ db: any SQLConnection) throws {
        var numbers: [ConsentCountTable.WordOwner: Int64] = [:]
        for owner in recipients.keys { numbers[owner] = try find(owner, db) }
        try add(recipients, to: numbers, db)
    }

    private static func add(
        _ recipients: [ConsentCountTable.WordOwner: Set<Int64>], to numbers: [ConsentCountTable.WordOwner: Int64],
        _ db: any SQLConnection
    ) throws {
        let add = try db.rows(
            """
            INSERT INTO evidence_word_people (word, recipient) VALUES (?, ?) ON CONFLICT (word, recipient) DO NOTHING
            """)
        for (owner, recipients) in recipients {
            guard let number = numbers[owner] else { continue }
            for recipient in recipients.sorted() { try add.add(number, recipient) }
        }
        try add.finish()
    }

    private static func findOrInsert(_ owner: ConsentCountTable.WordOwner, _ db: any SQLConnection) throws -> Int64? {
        if let known = try find(owner, db) { return known }
        let kind = owner.word.kind.rawValue
        let count = try db.statement(
            "SELECT count(*) FROM evidence_words WHERE organization = ? AND kind = ? AND digest IS NOT NULL"
        ).first(owner.organization, kind) { $0.integer(0) }
        guard count ?? 0 < maximumCount else { return nil }
        return try db.statement(
            """
            INSERT INTO evidence_words (organization, kind, digest, content) VALUES (?, ?, ?, ?)
            \(db.dialect.returningNumber)
            """
        ).newNumber(owner.organization, kind, owner.word.digest, PersonalText(owner.word.content))
    }

    private static func find(_ owner: ConsentCountTable.WordOwner, _ db: any SQLConnection) throws -> Int64? {
        try db.statement("SELECT number FROM evidence_words WHERE organization = ? AND kind = ? AND digest = ?")
            .first(owner.organization, owner.word.kind.rawValue, owner.word.digest) { $0.integer(0) }
    }

    /// Forgets that an erased recipient has these words. Must be called inside the write that erases the recipient. A
    /// word that had no number yet when the recipient got it is not the recipient's.
    /// - Parameter isFilling: whether it may not be noted yet that other recipients have the words. Then
    ///   ``forgetUnused(_:)`` is called when the filling ends.
    static func forget(
        _ words: Set<EvidenceWord>, of recipient: Int64, in organization: Int64, isFilling: Bool,
        _ db: any SQLConnection
    ) throws {
        for word in words {
            guard let number = try find(.init(organization: organization, word: word), db) else { continue }
            let gone = try db.statement("DELETE FROM evidence_word_people WHERE word = ? AND recipient = ?")
                .changes(number, recipient)
            guard gone > 0, !isFilling, try !hasRecipients(number, atLeast: 1, db) else { continue }
            try db.statement("UPDATE evidence_words SET digest = NULL, content = NULL WHERE number = ?").run(number)
        }
    }

    /// Forgets the words that no recipient has.
    static func forgetUnused(_ db: any SQLConnection) throws {
        try db.statement(
            """
            UPDATE evidence_words SET digest = NULL, content = NULL
            WHERE digest IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM evidence_word_people p WHERE p.word = evidence_words.number)
            """
        ).run()
    }

    /// Whether at least `least` recipients have a word. Erased ones do not count.
    static func hasRecipients(_ number: Int64, atLeast least: Int, _ db: any SQLConnection) throws -> Bool {
        let count = try db.statement(
            "SELECT count(*) FROM (SELECT 1 FROM evidence_word_people WHERE word = ? LIMIT ?) AS held"
        ).first(number, least) { Int($0.integer(0)) }
        return count ?? 0 >= least
    }

    /// The words of an organization that are not forgotten, by their numbers. A word that cannot be read is left out;
    /// its records then count with the others.
    static func all(
        _ kind: EvidenceWord.Kind, of organization: Int64, _ db: any SQLConnection
    ) throws -> [Int64: ConsentEvidence] {
        var words: [Int64: ConsentEvidence] = [:]
        try db.statement(
            "SELECT number, content FROM evidence_words WHERE organization = ? AND kind = ? AND digest IS NOT NULL"
        ).forEach(organization, kind.rawValue) { row in
            let number = row.integer(0)
            if let text = try row.ifReadable({ try row.personalText(1) }) ?? nil,
                let evidence = try? EvidenceJSON.decode(text)
            {
                words[number] = evidence
            }
            return true
        }
        return words
    }
}
