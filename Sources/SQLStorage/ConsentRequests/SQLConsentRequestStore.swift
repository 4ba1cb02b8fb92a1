package import Consent
package import Identifiers
import SQL
import StoragePorts

/// Consent requests in a database.
package struct SQLConsentRequestStore: ConsentRequestStore {
    private let database: any SQLDatabase
    private let closing: LedgerClosing
    private let people: RecipientHashing

    init(_ closing: LedgerClosing, people: RecipientHashing) {
        database = closing.database
        self.closing = closing
        self.people = people
    }

    package func ask(
        _ new: NewConsentRequest,
        pausing pause: AskingPause,
        in organization: OrganizationID,
        at asked: Timestamp,
        fingerprint: IdempotencyFingerprint?
    ) async throws -> AskingOutcome {
        guard let person = try await people.people(named: [new.recipient], in: organization)?.first else {
            throw RowError.unknownOrganization
        }
        return try await closing.write(to: organization) { writing in
            let now = writing.time(notBefore: asked)
            try RequestRow.requireFree(fingerprint, writing)
            let asking = ConsentAsking(new: new, pause: pause, organization: organization, person: person, now: now)
            let outcome = try asking.make(writing)
            if case .made(let request) = outcome {
                let effect = RequestEffect(first: request.id.number, last: request.id.number, isNew: true)
                try RequestRow.insert(fingerprint, effect, at: now, writing)
            }
            return outcome
        }
    }

    package func request(_ id: ConsentRequestID) async throws -> ConsentRequest? {
        try await database.read { db in try StoredConsentRequest.find(id, db)?.request }
    }

    package func requests(
        about recipient: RecipientID,
        after last: ConsentRequestID?,
        limit: Int,
        in organization: OrganizationID
    ) async throws -> [ConsentRequest] {
        guard let hash = try await people.hash(of: recipient, in: organization) else { return [] }
        return try await closing.read(of: organization) { db in
            guard let number = try RecipientLookup(db)(hash)?.recipient else { return [] }
            let ids = try db.statement(
                "SELECT id FROM consent_requests WHERE recipient = ? AND id > ? ORDER BY id LIMIT ?"
            ).all(number, last.map { Int64($0.rawValue) } ?? 0, limit) { try $0.id(0, ConsentRequestID.self) }
            return try ids.compactMap { try StoredConsentRequest.find($0, db)?.request }
        }
    }

    package func awaitingConfirmation(
        after place: TimeOrderedNumber?,
        limit: Int,
        in organization: OrganizationID,
        at now: Timestamp
    ) async throws -> [ConsentRequest] {
        try await closing.read(of: organization) { db in
            guard let row = try OrganizationRow.find(organization, db) else { return [] }
            var found: [ConsentRequest] = []
            var last = Int64(place?.rawValue ?? 0)
            while found.count < limit {
                let places = try db.statement(
                    """
                    SELECT confirmation_place, id FROM consent_requests INDEXED BY consent_requests_unconfirmed
                    WHERE organization = ? AND confirmation_place > ? AND expires_at > ?
                    ORDER BY confirmation_place LIMIT ?
                    """
                ).all(row.number, last, now, limit) { ($0.integer(0), try $0.id(1, ConsentRequestID.self)) }
                for (place, id) in places where found.count < limit {
                    last = place
                    guard let request = try StoredConsentRequest.find(id, db)?.request else { continue }
                    if request.state(at: now) == .awaitingConfirmation { found.append(request) }
                }
                if places.count < limit { break }
            }
            return found
        }
    }

    package func answer(
        _ press: AnswerPress,
        in organization: OrganizationID,
        at asked: Timestamp
    ) async throws -> AnsweredRequest? {
        try await closing.write(to: organization) { [people] writing in
            let made = try ConsentAnswering.make(
                press, in: organization, at: writing.time(notBefore: asked), people.hasher, writing)
            writing.note(made?.changes ?? [], in: organization)
            return made?.answered
        }
    }
}
