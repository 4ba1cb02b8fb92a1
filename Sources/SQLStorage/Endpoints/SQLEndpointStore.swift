package import Consent
package import Identifiers
import SQL
package import Webhooks

/// Endpoints in a database.
package struct SQLEndpointStore: EndpointStore {
    let guarded: GuardedDatabase

    init(_ guarded: GuardedDatabase) { self.guarded = guarded }

    package func create(
        _ new: NewEndpoint, secret: [UInt8], in organization: OrganizationID, at asked: Timestamp
    ) async throws -> Endpoint? {
        try await guarded.write(to: organization) { writing in
            let db = writing.db
            guard let row = try OrganizationRow.find(organization, db) else { return nil }
            guard try EndpointRow.count(of: row.number, db) < Endpoint.maximumCount else { throw TooManyEndpoints() }
            let now = writing.time(notBefore: asked)
            let endpoint = Endpoint(
                id: writing.makeID(.endpoints, at: now), url: new.url, kinds: new.kinds,
                includesRecipient: new.includesRecipient, state: .enabled, createdAt: now,
                position: try ConsentFeedReading(organization: row.number, db).end(),
                progress: DeliveryProgress(dueAt: now), formerSecretUntil: nil)
            try EndpointRow(
                endpoint, secret: secret, event: try EndpointEventRow.last(db),
                interaction: Int64(try EndpointQueue.lastInteraction(of: row.number, db)?.rawValue ?? 0)
            ).insert(organization: row.number, db)
            return endpoint
        }
    }

    package func endpoints(of organization: OrganizationID) async throws -> [Endpoint]? {
        try await guarded.read(of: organization) { db in
            guard let row = try OrganizationRow.find(organization, db) else { return nil }
            return try EndpointRow.all(of: row.number, db).map(\.endpoint)
        }
    }

    package func endpoint(_ id: EndpointID, in organization: OrganizationID) async throws -> Endpoint? {
        try await guarded.read(of: organization) { db in
            guard let row = try OrganizationRow.find(organization, db) else { return nil }
            return try EndpointRow.find(id, of: row.number, db)?.endpoint
        }
    }

    package func change(
        _ id: EndpointID, in organization: OrganizationID, by change: EndpointChange, mayReadRecipients: Bool,
        at asked: Timestamp
    ) async throws -> Endpoint? {
        try await update(id, in: organization) { row, number, writing in
            guard mayReadRecipients || !change.sendsRecipients(from: row.endpoint) else {
                throw RecipientsNotPermitted()
            }
            if let kinds = change.kinds {
                try Self.begin(kinds, instead: row.endpoint.kinds, &row, of: number, writing.db)
                row.endpoint.kinds = kinds
            }
            if let url = change.url, url != row.endpoint.url {
                row.endpoint.url = url
                row.endpoint.progress.begin(at: writing.time(notBefore: asked))
            }
            if let includes = change.includesRecipient { row.endpoint.includesRecipient = includes }
            row.lease = nil
        }
    }

    /// Starts a feed of which the endpoint has had no events before at its end, so that only new events are sent.
    private static func begin(
        _ kinds: Set<EventKind>, instead former: Set<EventKind>, _ row: inout EndpointRow, of organization: Int64,
        _ db: any SQLConnection
    ) throws {
        let begins = { (feed: Set<EventKind>) in former.isDisjoint(with: feed) && !kinds.isDisjoint(with: feed) }
        if begins([.consentRecorded, .recipientErased]) {
            row.endpoint.position = try ConsentFeedReading(organization: organization, db).end()
        }
        if begins([.messageDisabled, .endpointFailing]) { row.event = try EndpointEventRow.last(db) }
        if begins([.interactionsAvailable]) {
            row.interaction = Int64(try EndpointQueue.lastInteraction(of: organization, db)?.rawValue ?? 0)
        }
    }

    package func remove(_ id: EndpointID, in organization: OrganizationID) async throws -> Bool {
        try await guarded.write(to: organization) { writing in
            guard let row = try OrganizationRow.find(organization, writing.db) else { return false }
            let removed = try writing.db.statement("DELETE FROM endpoints WHERE id = ? AND organization = ?")
                .changes(id, row.number)
            guard removed > 0 else { return false }
            try AttemptRow.removeAll(of: id, writing.db)
            try EndpointEventRow.removePassed(of: row.number, writing.db)
            return true
        }
    }

    package func setEnabled(
        _ isEnabled: Bool, _ id: EndpointID, in organization: OrganizationID, at asked: Timestamp
    ) async throws -> Endpoint? {
        try await update(id, in: organization) { row, _, writing in
            // An endpoint that is off because of failures keeps its state, which says why.
            guard isEnabled || row.endpoint.state == .enabled else { return }
            if isEnabled { row.endpoint.progress.begin(at: writing.time(notBefore: asked)) }
            row.endpoint.state = isEnabled ? .enabled : .disabled
            row.lease = nil
        }
    }

    package func rotate(
        _ id: EndpointID, to secret: [UInt8], in organization: OrganizationID, at asked: Timestamp
    ) async throws -> Endpoint? {
        try await update(id, in: organization) { row, _, writing in
            let now = writing.time(notBefore: asked)
            row = row.bounded(at: now)
            // Receivers have the secret from before the first rotation until they get one of the new ones. The secret
            // in between may be in no receiver, because its answer may have been lost.
            if row.secrets(at: now).count == 1 { row.formerSecret = row.secret }
            row.secret = secret
            row.endpoint.formerSecretUntil = now.advanced(by: EndpointSecret.overlap)
        }
    }

    package func replay(
        _ id: EndpointID, from position: ConsentFeedPosition?, in organization: OrganizationID,
        mayReadRecipients: Bool, at asked: Timestamp
    ) async throws -> Endpoint? {
        try await update(id, in: organization) { row, number, writing in
            guard mayReadRecipients || !row.endpoint.includesRecipient else { throw RecipientsNotPermitted() }
            let feed = ConsentFeedReading(organization: number, writing.db)
            guard try feed.items(after: position, limit: 1) != nil else { throw ConsentFeedCursorError() }
            row.endpoint.position = position
            row.endpoint.progress.retryNow(at: writing.time(notBefore: asked))
            // A delivery of this feed that is under way would move the place behind its item, so its lease is ended.
            // Other events keep their leases: without one they would be sent twice.
            if let lease = row.lease, [.consentRecorded, .recipientErased].contains(lease.kind) { row.lease = nil }
        }
    }

    package func test(
        _ id: EndpointID, in organization: OrganizationID, at asked: Timestamp
    ) async throws -> WebhookEvent? {
        try await guarded.write(to: organization) { writing in
            guard let organization = try OrganizationRow.find(organization, writing.db)?.number,
                var row = try EndpointRow.find(id, of: organization, writing.db)
            else { return nil }
            guard row.endpoint.state == .enabled else { throw EndpointDisabled() }
            let now = writing.time(notBefore: asked)
            row.endpoint.progress.retryNow(at: now)
            try row.update(writing.db)
            let waiting = try EndpointEventRow.waitingTest(after: row.event, for: id, of: organization, writing.db)
            if let waiting { return waiting }
            let number = try EndpointEventRow.insert(.endpointTest, of: organization, for: id, at: now, writing.db)
            return WebhookEvent(.test, at: now, number: number)
        }
    }

    package func attempts(
        of id: EndpointID, in organization: OrganizationID
    ) async throws -> [DeliveryAttempt]? {
        try await guarded.read(of: organization) { db in
            guard let row = try OrganizationRow.find(organization, db),
                try EndpointRow.find(id, of: row.number, db) != nil
            else { return nil }
            return try AttemptRow.all(of: id, db)
        }
    }

    private func update(
        _ id: EndpointID, in organization: OrganizationID,
        _ change: @escaping @Sendable (inout EndpointRow, Int64, WriteContext) throws -> Void
    ) async throws -> Endpoint? {
        try await guarded.write(to: organization) { writing in
            guard let organization = try OrganizationRow.find(organization, writing.db)?.number,
                var row = try EndpointRow.find(id, of: organization, writing.db)
            else { return nil }
            try change(&row, organization, writing)
            try row.update(writing.db)
            return row.endpoint
        }
    }
}
