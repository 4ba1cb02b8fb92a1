import Consent
import Identifiers
import Interactions
import SQL

/// One step of forgetting what an organization no longer keeps, inside a write.
///
/// Interactions are deleted. A decision stays, because the verdict and its reason are not personal data and the ledger
/// proves them; but whom it was about is removed.
struct RetentionPurge {
    let organization: Int64
    let id: OrganizationID
    /// The greatest number of rows of each kind in this step.
    let limit: Int
    private(set) var interactions = 0
    private(set) var decisions = 0
    /// How many of the decisions have an entry; the others are older than the ledger.
    private(set) var enteredDecisions = 0
    private(set) var accesses = 0
    /// Whether nothing is left to forget.
    private(set) var isLast = true

    private let writing: WriteContext
    private var db: any SQLConnection { writing.db }

    init(organization: Int64, named id: OrganizationID, limit: Int, _ writing: WriteContext) {
        self.organization = organization
        self.id = id
        self.limit = limit
        self.writing = writing
    }

    /// Deletes interactions that were recorded before `instant`, the oldest first.
    mutating func removeInteractions(before instant: Timestamp, at now: Timestamp) throws {
        // The position of an interaction carries the time when the interaction was recorded.
        let end = Int64(TimeOrderedNumber.lowerBound(at: instant))
        let oldest = try InteractionPositions.oldest(before: end, limit: limit, of: organization, db)
        let remove = try db.statement("DELETE FROM interactions WHERE id = ?")
        let whose = try db.statement("SELECT message, recipient FROM interactions WHERE id = ?")
        var deleted: Set<DeletedInteraction> = []
        var messages: Set<MessageID> = []
        for id in oldest {
            if let (message, recipient) = try whose.first(
                id, read: { (try $0.id(0, MessageID.self), $0.optionalInteger(1)) })
            {
                messages.insert(message)
                if let recipient { deleted.insert(DeletedInteraction(message: message, recipient: recipient)) }
            }
            try remove.run(id)
        }
        try FirstInteractions.forget(deleted, db)
        try ReportForgetting.recount(deleted, db)
        try DeletedInteractions.insert(messages, at: now, db)
        if !oldest.isEmpty {
            // An id that no node makes is skipped: every later interaction would count as deleted for its age.
            let greatest = oldest.filter { $0 < Int64(TimeOrderedNumber.endOfMade) }.max() ?? 0
            try RetentionRow.storePurged(greatest, of: organization, db)
        }
        try QuotasRow.addStored(-oldest.count, of: organization, db)
        interactions += oldest.count
        isLast = isLast && oldest.count < limit
    }

    /// Removes from accesses recorded before `instant` whom they were about and why, the oldest first. Accesses keep
    /// that as long as decisions do.
    mutating func forgetAccesses(before instant: Timestamp) throws {
        let step = try AccessForgetting.Step(of: organization, before: instant, limit: limit, db)
        try RetainedCommitments.keep(.access, step.named, organization, named: id, writing)
        try step.forget(in: organization, db)
        accesses += step.named.count
        isLast = isLast && step.isLast
    }

    /// Removes consent requests that no longer keep the organization from asking again. The records that came of them
    /// stay.
    mutating func removeConsentRequests(at now: Timestamp) throws {
        let days = try ConsentRequestForgetting.daysKept(in: organization, db)
        let removed = try ConsentRequestForgetting.remove(
            from: organization, before: now.advanced(byDays: -days), limit: limit, db)
        isLast = isLast && removed < limit
    }

    /// Removes from decisions made before `instant` whom they were about, the oldest first. A decision about an erased
    /// recipient has lost that already and does not count.
    mutating func forgetDecisions(before instant: Timestamp) throws {
        let last = try RetentionRow.newestForgottenDecision(organization, db)
        let query = DecisionQuery(to: instant, after: last)
        let ids = try DecisionSearch(query, organization: organization, limit: limit).ids(person: nil, db)
        guard let newest = ids.last else { return }
        let isNamed = try db.statement("SELECT recipient IS NOT NULL FROM decisions WHERE id = ?")
        let named = try ids.filter { id in try isNamed.first(id) { $0.bool(0) } ?? false }
        enteredDecisions += try RetainedCommitments.keep(.decision, named, organization, named: id, writing)
        let forget = try db.statement(
            "UPDATE decisions SET recipient = NULL, consent = NULL, salt = NULL WHERE id = ?"
        )
        let about = try db.statement("SELECT message, recipient FROM decisions WHERE id = ?")
        var reports = ReportForgetting(db)
        for id in named {
            let found = try about.first(id) { (try $0.id(0, MessageID.self), $0.integer(1)) }
            try forget.run(id)
            if let (message, recipient) = found { try reports.forgetDecision(about: recipient, in: message) }
        }
        try reports.finish()
        decisions += named.count
        isLast = isLast && ids.count < limit
        try db.statement("UPDATE organizations SET decisions_purged = ? WHERE number = ?").run(newest, organization)
    }
}
