package import Consent
package import Identifiers
import SQL
import StoragePorts

/// Consent requests in a database.
package struct SQLConsentRequestStore: ConsentRequestStore {
    private let database: any SQLDatabase
    private let guarded: GuardedDatabase
    private let hashing: RecipientHashing

    init(_ guarded: GuardedDatabase, hashing: RecipientHashing) {
        database = guarded.database
        self.guarded = guarded
        self.hashing = hashing
    }

    package func ask(
        _ new: NewConsentRequest,
        pausing pause: AskingPause,
        in organization: OrganizationID,
        at asked: Timestamp,
        fingerprint: IdempotencyFingerprint?
    ) async throws -> AskingOutcome {
        guard let person = try await hashing.people(named: [new.recipient], in: organization)?.first else {
            throw RowError.unknownOrganization
        }
        return try await guarded.write(to: organization) { writing in
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
        guard let hash = try await hashing.hash(of: recipient, in: organization) else { return [] }
        return try await guarded.read(of: organization) { db in
            guard let number = try RecipientLookup(db)(hash)?.recipient else { return [] }
            let ids = try db.statement(
                "SELECT id FROM consent_requests WHERE recipient = ? AND id > ? ORDER BY id LIMIT ?"
            ).all(number, last.map { Int64($0.rawValue) } ?? 0, limit) { try $0.id(0, ConsentRequestID.self) }
            return try ids.compactMap { try StoredConsentRequest.find($0, db)?.request }
        }
    }

    package func awaitingConfirmation(
        after position: TimeOrderedNumber?,
        limit: Int,
        in organization: OrganizationID,
        at now: Timestamp
    ) async throws -> [ConsentRequest] {
        try await guarded.read(of: organization) { db in
            guard let row = try OrganizationRow.find(organization, db) else { return [] }
            var found: [ConsentRequest] = []
            var last = Int64(position?.rawValue ?? 0)
            while found.count < limit {
                let positions = try db.statement(
                    """
                    SELECT confirmation_place, id FROM consent_requests INDEXED BY consent_requests_unconfirmed
                    WHERE organization = ? AND confirmation_place > ? AND expires_at > ?
                    ORDER BY confirmation_place LIMIT ?
                    """
                ).all(row.number, last, now, limit) { ($0.integer(0), try $0.id(1, ConsentRequestID.self)) }
                for (position, id) in positions where found.count < limit {
                    last = position
                    guard let request = try StoredConsentRequest.find(id, db)?.request else { continue }
                    if request.state(at: now) == .awaitingConfirmation { found.append(request) }
                }
                if positions.count < limit { break }
            }
            return found
        }
    }

    package func answer(
        _ press: AnswerPress,
        in organization: OrganizationID,
        at asked: Timestamp
    ) async throws -> AnsweredRequest? {
        try await guarded.write(to: organization) { [hashing] writing in
            let made = try ConsentAnswering.make(
                press, in: organization, at: writing.time(notBefore: asked), hashing.hasher, writing)
            writing.addChanges(made?.changes ?? [], in: organization)
            return made?.answered
        }
    }
}
