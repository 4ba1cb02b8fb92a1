import Consent
import Identifiers
import Interactions
import Ledger
import SQL

/// One append of decisions, inside its write.
struct DecisionAppend {
    private(set) var recorded: [RecordedDecision] = []
    /// Changes for recipients who get a tracking ID although one of the activities must not be recorded. No consent
    /// record says so.
    private(set) var changes: [ConsentChange] = []

    private let writing: WriteContext
    private let now: Timestamp
    /// The earliest time at which a consent that a verdict rests on ends.
    private let holdsUntil: Timestamp
    private let message: MessageID
    private let organization: OrganizationRow
    private var recipients: RecipientTable
    private let insert: RowInsert
    private let insertUnasked: RowInsert
    private var ledger: LedgerAppend
    private var counts: [DecisionReason: Int64] = [:]
    private var days: [CalendarDay: [DecisionReason: Int64]] = [:]
    /// The purposes of the decisions about a recipient, in their order.
    private var purposes: [DecidedPurpose]

    /// - Throws: `StaleSnapshot` if the organization has another epoch than `basis`.
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
        holdsUntil = basis.holdsUntil
        self.message = message
        ledger = try LedgerAppend(organization, named: id, at: now, writing)
        recipients = try RecipientTable(organization: organization.number, writing)
        purposes = try DecidedPurpose.all(of: message, owner, in: organization, asOf: basis, at: now, db)
        insert = try db.rows(
            """
            INSERT INTO decisions (
                id, organization, message, recipient, reason, enforcement, consent, volume, salt, activity
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        insertUnasked = try db.rows(
            """
            INSERT INTO tracked_unasked (organization, recipient, purpose) VALUES (?, ?, ?)
            ON CONFLICT (organization, recipient, purpose) DO NOTHING
            """
        )
    }

    /// Looks up, with one query if the engine can, all recipients who were unknown when their status was asked for.
    mutating func prefetch(_ people: [RecipientLookupCache.Person]) throws {
        try recipients.prefetch(people.filter { $0.recipient == nil }.map(\.named))
    }

    /// - Parameter person: what was looked up about the recipient in the present epoch.
    mutating func add(_ decision: Decision, _ person: RecipientLookupCache.Person) throws {
        var known = person
        let place = recorded.count % purposes.count
        guard decision.activity == purposes[place].activity else { throw RowError.otherActivity }
        let verdict = try purposes[place].review.verdict(of: decision, &known)
        // All decisions about one recipient carry the same time.
        let id: DecisionID = writing.makeID(.decisions, at: now, following: purposes.count - 1 - place)
        // The verdicts are valid at the time of the write. They must also be valid at the time that the decision
        // carries.
        if id.number.timestamp > now, holdsUntil <= id.number.timestamp { throw StaleSnapshot() }
        let recipient =
            try known.recipient.map { try recipients.entered($0, known.named, isRespelled: known.isRespelled) }
            ?? recipients.recipientUnlessErased(known.named)
        let isTracked = verdict.outcome == .tracked
        let reference =
            isTracked ? try known.reference ?? recipient.map { try recipients.reference(of: $0.number) } : nil
        // An erased recipient must not be tracked, so this verdict rests on an older state.
        guard let stored = RecordedDecision(stored: id, reason: verdict.reason, reference: reference) else {
            throw StaleSnapshot()
        }
        let basis = recipient == nil ? nil : verdict.basis
        let salt = Salt(using: &writing.random)
        try insert.add(
            id,
            organization.number,
            message,
            recipient?.number,
            verdict.reason.code,
            organization.enforcement.code,
            basis,
            writing.nextVolume(of: .decisions),
            salt,
            Int64(decision.activity.code)
        )
        try ledger.add(
            id, about: decision.activity, reason: verdict.reason, enforcement: organization.enforcement, of: message,
            purpose: purposes[place].name, recipient: recipient?.name, consent: basis, salt: salt)
        if verdict.reason == .notOptedOut, let recipient {
            try insertUnasked.add(organization.number, recipient.number, purposes[place].number)
        }
        if let recipient { try noteSilence(about: recipient, stored, at: place) }
        counts[verdict.reason, default: 0] += 1
        days[CalendarDay(id.number.timestamp), default: [:]][verdict.reason, default: 0] += 1
        try purposes[place].people.add(verdict.reason, about: recipient?.number)
        recorded.append(stored)
    }

    /// If a recipient is tracked for one activity and has no record for the other, no record tells that the other one
    /// must not be recorded. So this notes it.
    /// - Parameter decision: must not be in `recorded` yet.
    private mutating func noteSilence(
        about recipient: EnteredRecipient, _ decision: RecordedDecision, at place: Int
    ) throws {
        guard place > 0, let other = recorded.last else { return }
        for (tracked, silent, purpose) in [(decision, other, purposes[place - 1]), (other, decision, purposes[place])] {
            guard case .tracked(let reference) = tracked.permit, silent.reason == .noConsentRecord else { continue }
            try insertUnasked.add(organization.number, recipient.number, purpose.number)
            changes.append(ConsentChange(reference: reference, purpose: purpose.name, status: .nothing))
        }
    }

    /// Counts the decisions and enters them into the ledger. Each recipient must have all of their decisions by now.
    mutating func finish() throws {
        guard recorded.count.isMultiple(of: purposes.count) else { throw RowError.otherActivity }
        try recipients.finish()
        try insert.finish()
        try insertUnasked.finish()
        try addCounts()
        for place in purposes.indices { try purposes[place].people.finish() }
        try ledger.finish()
    }

    private func addCounts() throws {
        let add = try writing.db.statement(
            """
            INSERT INTO decision_counts (message, reason, count) VALUES (?, ?, ?)
            ON CONFLICT (message, reason)
                DO UPDATE SET count = \(KeptCount.bounded("decision_counts.count", in: writing.db.dialect)) + excluded.count
            """
        )
        for (reason, count) in counts { try add.run(message, reason.code, count) }
        try DecisionDayTable.add(days, of: organization.number, writing.db)
    }
}
