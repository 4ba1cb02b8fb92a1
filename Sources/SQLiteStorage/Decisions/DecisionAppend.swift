import Consent
import GRDB
import Identifiers
import Ledger
import SQLiteFiles

/// One append of decisions, inside its write.
struct DecisionAppend {
    private(set) var recorded: [RecordedDecision] = []

    private let writing: WriteContext
    private let now: Timestamp
    private let message: MessageID
    private let purpose: Int64
    private let purposeName: Purpose
    private let organization: OrganizationRow
    private let register: RecipientTable
    private let review: DecisionReview
    private let insert: SQLStatement
    private let insertUnasked: SQLStatement
    private var ledger: LedgerAppend
    private var counts: [DecisionReason: Int64] = [:]
    private var people: PeopleCounting

    /// - Throws: `StaleSnapshot` when the organization has another epoch than `basis`.
    init(
        message: MessageID,
        organization id: OrganizationID,
        basis: SnapshotBasis,
        now: Timestamp,
        _ writing: WriteContext
    ) throws {
        let db = writing.db
        organization = try OrganizationRow.require(id, db)
        guard organization.epoch == basis.epoch else { throw StaleSnapshot() }
        guard let owner = try MessageOwner.find(message, db), owner.organization == organization.number else {
            throw RowError.unknownMessage
        }
        self.writing = writing
        self.now = now
        self.message = message
        purpose = owner.purpose
        guard let name = try PurposeRow.all(db)[owner.purpose] else { throw StorageError.unreadable }
        purposeName = name
        ledger = try LedgerAppend(organization, named: id, at: now, writing)
        register = try RecipientTable(organization: organization.number, writing)
        review = try DecisionReview(organization, asOf: basis, purpose: owner.purpose, named: name, at: now, db)
        people = try PeopleCounting(of: message, db)
        insert = try db.statement(
            """
            INSERT INTO decisions (id, organization, message, recipient, reason, enforcement, consent, volume, salt)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        insertUnasked = try db.statement(
            "INSERT OR IGNORE INTO tracked_unasked (organization, recipient, purpose) VALUES (?, ?, ?)"
        )
    }

    /// - Parameter person: what was looked up about the recipient in the epoch of now.
    mutating func add(_ decision: Decision, _ person: RecipientLookupCache.Person) throws {
        var known = person
        let verdict = try review.verdict(of: decision, &known)
        let id: DecisionID = writing.makeID(.decisions, at: now)
        let recipient =
            try known.recipient.map { try register.entered($0, known.named, isRespelled: known.isRespelled) }
            ?? register.recipientUnlessErased(known.named)
        let isTracked = verdict.outcome == .tracked
        let reference = isTracked ? try known.reference ?? recipient.map { try register.reference(of: $0.number) } : nil
        // An erased person may not be tracked, so this verdict rests on an older state.
        guard let stored = RecordedDecision(stored: id, reason: verdict.reason, reference: reference) else {
            throw StaleSnapshot()
        }
        let basis = recipient == nil ? nil : verdict.basis
        let salt = Salt(using: &writing.random)
        try insert.run(
            id,
            organization.number,
            message,
            recipient?.number,
            verdict.reason.code,
            organization.enforcement.code,
            basis,
            writing.nextVolume(of: .decisions),
            salt
        )
        try ledger.add(
            id, reason: verdict.reason, enforcement: organization.enforcement, of: message, purpose: purposeName,
            recipient: recipient?.name, consent: basis, salt: salt)
        if verdict.reason == .notOptedOut, let recipient {
            try insertUnasked.run(organization.number, recipient.number, purpose)
        }
        counts[verdict.reason, default: 0] += 1
        try people.add(verdict.reason, about: recipient?.number)
        recorded.append(stored)
    }

    /// Counts all of the decisions and enters them into the ledger.
    mutating func finish() throws {
        try addCounts()
        try people.finish()
        try ledger.finish()
    }

    private func addCounts() throws {
        let add = try writing.db.statement(
            """
            INSERT INTO decision_counts (message, reason, count) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET count = \(KeptCount.bounded("count")) + excluded.count
            """
        )
        for (reason, count) in counts { try add.run(message, reason.code, count) }
    }
}
