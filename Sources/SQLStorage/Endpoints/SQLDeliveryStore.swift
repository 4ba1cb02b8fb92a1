import Consent
import Cryptography
package import Identifiers
import SQL
package import Webhooks

/// The store for the requests of relays, in a database.
package struct SQLDeliveryStore: DeliveryStore {
    private let guarded: GuardedDatabase

    init(_ guarded: GuardedDatabase) { self.guarded = guarded }

    package func lease(
        to relay: RelayIdentity, limit: Int, in organization: OrganizationID, at asked: Timestamp
    ) async throws -> LeasedEvents {
        // Usually there is no event, and then nothing is written.
        let seen = try await guarded.read(of: organization) { db in
            guard let row = try OrganizationRow.find(organization, db) else { return LeasedEvents?.none }
            let search = DeliverySearch(organization: row.number, relay: relay, now: asked, db: db)
            let found = try search.due(limit: 1)
            return found.rows.isEmpty ? LeasedEvents(events: [], nextDue: found.nextDue) : nil
        }
        if let seen { return seen }
        return try await guarded.write(to: organization) { writing in
            guard let row = try OrganizationRow.find(organization, writing.db) else {
                return LeasedEvents(events: [], nextDue: nil)
            }
            let now = writing.time(notBefore: asked)
            let search = DeliverySearch(organization: row.number, relay: relay, now: now, db: writing.db)
            let found = try search.due(limit: limit)
            let events = try found.rows.compactMap { row, found in
                try Self.lease(row, found, to: relay, at: now, writing)
            }
            return LeasedEvents(events: events, nextDue: found.nextDue)
        }
    }

    package func renew(
        _ token: [UInt8], by relay: RelayIdentity, in organization: OrganizationID, at asked: Timestamp
    ) async throws -> LeasedEvent {
        try await guarded.write(to: organization) { writing in
            let db = writing.db
            guard let organization = try OrganizationRow.find(organization, db)?.number else { throw LeaseEnded() }
            let now = writing.time(notBefore: asked)
            let rows = try EndpointRow.readable(of: organization, db).map { $0.bounded(at: now) }
            guard !rows.contains(where: { $0.supersedes(relay, at: now) }) else { throw RelayIsSuperseded() }
            let (row, _) = try Self.leased(token, by: relay, among: rows)
            let found = try EndpointQueue(organization: organization, now: now, db: db).next(row)
            guard let leased = try Self.lease(row, found, to: relay, token: token, at: now, writing) else {
                throw LeaseEnded()
            }
            return leased
        }
    }

    /// The endpoint of which a relay has the lease, and the lease.
    /// - Parameter isSuperseded: whether another process with the relay's folder began later, which then is the reason
    ///   why the lease is gone.
    private static func leased(
        _ token: [UInt8], by relay: RelayIdentity, among rows: [EndpointRow], isSuperseded: Bool = false
    ) throws -> (row: EndpointRow, lease: EndpointRow.Lease) {
        guard let row = rows.first(where: { $0.lease?.token == token }), let lease = row.lease, lease.holder == relay
        else {
            if isSuperseded { throw RelayIsSuperseded() }
            throw LeaseEnded()
        }
        return (row, lease)
    }

    package func report(
        _ outcome: DeliveryOutcome, of token: [UInt8], milliseconds: Int, jitter: Double, leasingNext leasesNext: Bool,
        to relay: RelayIdentity, in organization: OrganizationID, at asked: Timestamp
    ) async throws -> DeliveryReport {
        try await guarded.write(to: organization) { writing in
            let db = writing.db
            guard let organization = try OrganizationRow.find(organization, db)?.number else { throw LeaseEnded() }
            let now = writing.time(notBefore: asked)
            let rows = try EndpointRow.readable(of: organization, db).map { $0.bounded(at: now) }
            let isSuperseded = rows.contains { $0.supersedes(relay, at: now) }
            var (row, lease) = try Self.leased(token, by: relay, among: rows, isSuperseded: isSuperseded)
            row.attempts += 1
            let attempt = DeliveryAttempt(
                instant: now, kind: lease.kind,
                webhookID: WebhookSignature.id(of: lease.event, for: row.endpoint.id), outcome: outcome,
                milliseconds: milliseconds)
            try AttemptRow.insert(attempt, number: row.attempts, of: row.endpoint.id, db)
            row.lease = nil
            let verdict = row.endpoint.progress.apply(outcome, at: now, jitter: jitter)
            switch verdict {
            case .goOn: try row.pass(lease.event, at: now)
            case .again: break
            case .stop(let state):
                row.endpoint.state = state
                try EndpointEventRow.insert(
                    .endpointFailing, of: organization, subject: Int64(row.endpoint.id.rawValue), detail: state,
                    at: now, db)
            }
            try row.update(db)
            guard verdict == .goOn, leasesNext, !isSuperseded else {
                return DeliveryReport(verdict: verdict, next: nil)
            }
            let found = try EndpointQueue(organization: organization, now: now, db: db).next(row)
            return DeliveryReport(verdict: verdict, next: try Self.lease(row, found, to: relay, at: now, writing))
        }
    }

    package func counts() async throws -> [EndpointState: Int] {
        try await guarded.database.read { db in try EndpointRow.counts(db) }
    }

    package func backlog(at now: Timestamp) async throws -> DeliveryBacklog {
        try await guarded.database.read(.long(owner: 0)) { db in
            var backlog = DeliveryBacklog()
            for found in try EndpointRow.enabled(db) {
                do {
                    let (organization, row) = (try found.get().organization, try found.get().row.bounded(at: now))
                    let queue = EndpointQueue(organization: organization, now: now, db: db)
                    guard let oldest = try queue.waitingSince(row) else { continue }
                    backlog.add(oldest: oldest, dueAt: row.endpoint.progress.dueAt, at: now)
                } catch RowError.unreadableEndpoint(let id) {
                    backlog.unreadable.insert(id)
                } catch RowError.unreadable, StorageError.unreadable {
                    // The next lease of this event closes the organization's ledger, and that is reported.
                    continue
                }
            }
            return backlog
        }
    }

    /// - Parameter token: of the lease that begins again; `nil` for a new lease.
    /// - Returns: `nil` if there is no event; the endpoint has no lease then.
    private static func lease(
        _ row: EndpointRow, _ found: EndpointQueue.Found, to relay: RelayIdentity, token: [UInt8]? = nil,
        at now: Timestamp, _ writing: WriteContext
    ) throws -> LeasedEvent? {
        var row = row
        row.lease = nil
        row.endpoint.position = found.position
        row.event = found.passedEvent
        guard let event = found.event else {
            try row.update(writing.db)
            return nil
        }
        let token = token ?? writing.random.bytes(16)
        row.lease = EndpointRow.Lease(
            token: token, holder: relay, until: now.advanced(by: LeasedEvent.lifetime), event: event.id,
            kind: event.kind)
        try row.update(writing.db)
        return LeasedEvent(token: token, endpoint: row.endpoint, event: event, sealedSecrets: row.secrets(at: now))
    }
}

/// Looks for due events at one time.
private struct DeliverySearch {
    let organization: Int64
    let relay: RelayIdentity
    let now: Timestamp
    let db: any SQLConnection

    /// - Throws: ``RelayIsSuperseded``
    func due(limit: Int) throws -> (rows: [(EndpointRow, EndpointQueue.Found)], nextDue: Timestamp?) {
        let stored = try EndpointRow.readable(of: organization, db)
        let all = stored.map { $0.bounded(at: now) }
        guard !all.contains(where: { $0.supersedes(relay, at: now) }) else { throw RelayIsSuperseded() }
        var rows: [(EndpointRow, EndpointQueue.Found)] = []
        var times: [Timestamp] = []
        for (row, raw) in zip(all, stored) where row.endpoint.state == .enabled {
            if let lease = row.lease, lease.until > now, !lease.holder.isEarlier(than: relay) {
                times.append(lease.until)
                continue
            }
            guard row.endpoint.progress.dueAt <= now else {
                times.append(row.endpoint.progress.dueAt)
                continue
            }
            let found = try EndpointQueue(organization: organization, now: now, db: db).next(row)
            if let later = found.later { times.append(later) }
            // The new place is stored even without an event, so that the items that are not wanted need not be passed
            // over again.
            guard
                found.event != nil || found.position != row.endpoint.position || found.passedEvent != row.event
                    || row.endpoint != raw.endpoint
            else { continue }
            guard rows.count < limit else { break }
            rows.append((row, found))
        }
        return (rows, times.min())
    }
}

extension EndpointRow {
    /// Notes that the event was delivered: the endpoint continues behind it.
    /// - Parameter event: ``WebhookEvent/id``.
    mutating func pass(_ event: String, at now: Timestamp) throws {
        switch WebhookEvent.Position(of: event) {
        case .consent(let position): endpoint.position = position
        case .event(let number): self.event = number
        case .interactions(let position):
            interaction = Int64(bitPattern: position.rawValue)
            notifiedAt = now
        case nil: throw StorageError.unreadable
        }
    }
}
