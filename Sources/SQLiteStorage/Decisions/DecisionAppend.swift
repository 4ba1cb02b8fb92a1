import Consent
import GRDB
import Identifiers
import Ledger

/// One append of decisions, inside its write.
struct DecisionAppend {
    private(set) var recorded: [RecordedDecision] = []

    private let writing: Writing
    private let now: Timestamp
    private let message: MessageID
    private let purpose: Int64
    private let purposeName: Purpose
    private let enforcement: Enforcement
    private let organization: OrganizationRow
    private let register: RecipientRegister
    private let insert: SQLStatement
    private let insertUnasked: SQLStatement
    private var ledger: LedgerAppend
    private var counts: [DecisionReason: Int64] = [:]
    /// Whoever is tracked although nothing is known of them.
    private var unasked: [Int64] = []

    /// - Throws: `StaleStandings` when somebody was erased since `erasures`.
    init(
        message: MessageID,
        enforcement: Enforcement,
        organization id: OrganizationID,
        erasures: ErasureCount,
        now: Timestamp,
        _ writing: Writing
    ) throws {
        let db = writing.db
        organization = try OrganizationRow.require(id, db)
        guard organization.erasures == erasures else { throw StaleStandings() }
        guard let owner = try MessageOwner.find(message, db), owner.organization == organization.number else {
            throw StorageError.unknownMessage
        }
        self.writing = writing
        self.now = now
        self.message = message
        self.enforcement = enforcement
        purpose = owner.purpose
        guard let name = try PurposeRow.all(db)[owner.purpose] else { throw StorageError.unreadable }
        purposeName = name
        ledger = try LedgerAppend(organization, named: id, at: now, writing)
        register = try RecipientRegister(organization: organization.number, writing)
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

    /// - Parameter known: of the recipient, found when there were as many erasures as now.
    mutating func add(_ decision: Decision, _ known: AskedPeople.Person) throws {
        let id: DecisionID = writing.makeID(.decisions, at: now)
        let verdict = decision.verdict
        let recipient = try known.recipient ?? register.recipientUnlessErased(decision.recipient, known.hash)
        let isTracked = verdict.outcome == .tracked
        let reference = isTracked ? try known.reference ?? recipient.map(register.reference) : nil
        // Whoever is erased may not be tracked, so this verdict rests on something older.
        guard let stored = RecordedDecision(stored: id, reason: verdict.reason, reference: reference) else {
            throw StaleStandings()
        }
        let basis = recipient == nil ? nil : verdict.basis
        let salt = Salt(using: &writing.random)
        try insert.run(
            id,
            organization.number,
            message,
            recipient,
            verdict.reason.code,
            enforcement.code,
            basis,
            writing.nextVolume(of: .decisions),
            salt
        )
        try ledger.add(
            id, reason: verdict.reason, enforcement: enforcement, of: message, purpose: purposeName,
            recipient: recipient == nil ? nil : decision.recipient, consent: basis, salt: salt)
        if verdict.reason == .notOptedOut, let recipient {
            try insertUnasked.run(organization.number, recipient, purpose)
            unasked.append(recipient)
        }
        counts[verdict.reason, default: 0] += 1
        recorded.append(stored)
    }

    /// Counts all of the decisions and enters them into the ledger.
    mutating func finish() throws {
        try addCounts()
        try ledger.finish()
    }

    private func addCounts() throws {
        let add = try writing.db.statement(
            """
            INSERT INTO decision_counts (message, reason, count) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET count = count + excluded.count
            """
        )
        for (reason, count) in counts { try add.run(message, reason.code, count) }
    }

    /// What the observer must be told: when the organization went restrictive after the verdicts were given, whoever
    /// was tracked unasked here is not among those it was told of then.
    func changes() throws -> [ConsentChange] {
        guard organization.enforcement != enforcement, !unasked.isEmpty else { return [] }
        let inForce = try InForceLookup(writing.db)
        return try unasked.map { recipient in
            let record = try inForce(
                organization: organization.number,
                recipient: recipient,
                purpose: purpose,
                at: now
            )
            return ConsentChange(
                reference: try register.reference(of: recipient),
                purpose: purposeName,
                standing: record.map(ConsentStanding.inForce) ?? .nothing
            )
        }
    }
}
