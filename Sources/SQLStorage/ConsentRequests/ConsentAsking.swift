import Consent
import Identifiers
import SQL

/// Makes a consent request, inside the write that stores it.
struct ConsentAsking {
    let new: NewConsentRequest
    let pause: AskingPause
    let organization: OrganizationID
    let person: NamedRecipient
    let now: Timestamp

    func make(_ writing: WriteContext) throws -> AskingOutcome {
        let db = writing.db
        let row = try OrganizationRow.require(organization, db)
        var recipients = try RecipientTable(organization: row.number, writing)
        if let known = try recipients.person(person.hash) {
            if known.isErased { return .refused(.erased) }
            if let recipient = known.recipient, let end = try pauseEnd(recipient, of: row.number, db) {
                return .refused(.tooSoon(until: end))
            }
        }
        guard let recipient = try recipients.recipientUnlessErased(person) else { return .refused(.erased) }
        try recipients.finish()
        let id = try insert(recipient.number, of: row.number, writing)
        guard let made = try StoredConsentRequest.find(id, db) else { throw StorageError.unreadable }
        return .made(made.request)
    }

    private func pauseEnd(_ recipient: Int64, of organization: Int64, _ db: any SQLConnection) throws -> Timestamp? {
        let inForce = try InForceLookup(db)
        func situation(_ name: Purpose) throws -> AskingPause.Situation {
            guard let purpose = try PurposeRow.find(name, db) else { return .init(inForce: nil, unansweredSince: nil) }
            return .init(
                inForce: try inForce(
                    organization: organization, recipient: recipient, purpose: purpose, at: now),
                unansweredSince: try AskedPurposeRow.lastUnanswered(
                    purpose: purpose, recipient: recipient, organization: organization, db))
        }
        var situations = try new.purposes.map { name in
            let own = try situation(name)
            // A request for `tracking` alone covers links and opens. A recipient who was never asked about opens
            // separately has answered, or not answered, about opens with it.
            return name == .openTracking && own.isBlank ? try situation(.tracking) : own
        }
        // For the same reason, an answer about opens alone also counts for `tracking`.
        if new.purposes.contains(.tracking), !new.purposes.contains(.openTracking) {
            situations.append(try situation(.openTracking))
        }
        return pause.end(situations, at: now)
    }

    private func insert(
        _ recipient: Int64, of organization: Int64, _ writing: WriteContext
    ) throws -> ConsentRequestID {
        let db = writing.db
        let id: ConsentRequestID = writing.makeID(.consentRequests, at: now)
        try db.statement(
            """
            INSERT INTO consent_requests (
                id, organization, recipient, notice, needs_confirmation, made_at, expires_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        ).run(
            id,
            organization,
            recipient,
            try NoticeRow.findOrInsert(new.notice, organization: organization, db),
            new.needsConfirmation,
            now,
            now.advanced(byDays: ConsentRequest.lifetimeInDays)
        )
        let boundary = AskedPurposeRow.Boundary(
            record: Int64(try WriteContext.greatestNumber(in: "consents", db)?.rawValue ?? 0), moment: now)
        for (position, purpose) in new.purposes.enumerated() {
            let number = try PurposeRow.findOrInsert(purpose, db)
            try AskedPurposeRow.insert(number, at: position, of: id, recipient: recipient, boundary, db)
        }
        return id
    }
}
