import Consent
import Identifiers
import SQL

/// Carries out an answer on the page of a request, inside the write that records it.
struct ConsentAnswering: Sendable {
    let answered: AnsweredRequest
    let changes: [ConsentChange]

    /// - Returns: `nil` when the organization has no such request.
    static func make(
        _ press: AnswerPress, in organization: OrganizationID, at now: Timestamp, _ hasher: RecipientHasher,
        _ writing: WriteContext
    ) throws -> ConsentAnswering? {
        let db = writing.db
        let row = try OrganizationRow.require(organization, db)
        guard let stored = try StoredConsentRequest.find(press.request, db), stored.organization == row.number
        else { return nil }
        let verdict = stored.request.verdict(on: press.answer, to: press.purpose, on: press.step, at: now)
        switch verdict {
        case .changesNothing:
            return Self(
                answered: AnsweredRequest(verdict: verdict, record: nil, request: stored.request), changes: [])
        case .awaitsConfirmation:
            try AskedPurposeRow.press(press.answer, for: try number(of: press.purpose, db), of: press.request, db)
            return Self(
                answered: AnsweredRequest(
                    verdict: verdict, record: nil, request: try updatePosition(of: stored.request, at: now, writing)),
                changes: [])
        case .records(let state):
            guard let recipient = stored.request.recipient else { throw StorageError.unreadable }
            var evidence = press.evidence
            evidence.notice = stored.request.notice?.evidence
            let new = try NewConsentRecord(
                recipient: recipient, purpose: press.purpose, state: state, occurredAt: nil, validUntil: nil,
                evidence: evidence, now: now)
            var append = try ConsentAppend(organization: organization, now: now, hasher, writing)
            let person = try hasher.person(named: recipient, in: organization, by: row.comparison)
            try append.add(new, about: person)
            if isAboutOpens(press, of: stored.request), try tracksOpens(of: person, row, at: now, writing) {
                try append.add(
                    NewConsentRecord(
                        recipient: recipient, purpose: .openTracking, state: state, occurredAt: nil, validUntil: nil,
                        evidence: evidence, now: now), about: person)
            }
            try append.finish()
            guard let record = append.records.first else { throw StorageError.unreadable }
            try AskedPurposeRow.record(
                press.answer, as: record, for: try number(of: press.purpose, db), of: press.request, db)
            return Self(
                answered: AnsweredRequest(
                    verdict: verdict, record: record,
                    request: try updatePosition(of: stored.request, at: now, writing)),
                changes: try append.changes())
        }
    }

    /// Whether `press` is a no to `tracking` on a page that asks about this purpose alone, for links and opens
    /// together.
    private static func isAboutOpens(_ press: AnswerPress, of request: ConsentRequest) -> Bool {
        press.answer == .refused && press.purpose == .tracking
            && !request.purposes.contains { $0.purpose == .openTracking }
    }

    /// Whether a message that asks for consent to opens separately would be permitted to record this recipient's opens.
    private static func tracksOpens(
        of person: NamedRecipient, _ organization: OrganizationRow, at now: Timestamp, _ writing: WriteContext
    ) throws -> Bool {
        let db = writing.db
        var status = ConsentStatus.nothing
        let recipients = try RecipientTable(organization: organization.number, writing)
        if let purpose = try PurposeRow.find(.openTracking, db),
            let recipient = try recipients.person(person.hash)?.recipient,
            let consent = try InForceLookup(db)(
                organization: organization.number, recipient: recipient, purpose: purpose, at: now)
        {
            status = .inForce(consent)
        }
        return OpensApart.areRecorded(status, in: organization, at: now)
    }

    /// Gives a request a new confirmation position when one of its purposes begins to wait for a confirmation, and
    /// removes the position when none waits any more. A purpose that begins to wait later needs a new position: readers
    /// may have passed the old one, and the second message of the old one may have been answered.
    /// - Parameter before: the request as it was before the answer.
    private static func updatePosition(
        of before: ConsentRequest, at now: Timestamp, _ writing: WriteContext
    ) throws -> ConsentRequest {
        let id = before.id
        let request = try require(id, writing.db)
        let waits = request.purposes.contains(where: \.awaitsConfirmation)
        let isNew = zip(before.purposes, request.purposes).contains { !$0.awaitsConfirmation && $1.awaitsConfirmation }
        guard waits ? isNew : request.confirmationPosition != nil else { return request }
        let position = waits ? Int64(writing.nextConfirmationPosition(at: now).rawValue) : nil
        try writing.db.statement("UPDATE consent_requests SET confirmation_place = ? WHERE id = ?").run(position, id)
        return try require(id, writing.db)
    }

    private static func require(_ id: ConsentRequestID, _ db: any SQLConnection) throws -> ConsentRequest {
        guard let stored = try StoredConsentRequest.find(id, db) else { throw StorageError.unreadable }
        return stored.request
    }

    private static func number(of purpose: Purpose, _ db: any SQLConnection) throws -> Int64 {
        guard let number = try PurposeRow.find(purpose, db) else { throw StorageError.unreadable }
        return number
    }
}
