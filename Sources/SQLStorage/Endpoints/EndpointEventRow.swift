import Identifiers
import SQL
import Webhooks

/// Events that are in no other table. Their numbers grow in the order of the commits, and no number is used again.
///
/// A row stays until it need not be sent to any endpoint. Such rows are removed with the next insert for the
/// organization, and when an endpoint is removed; all stay while the organization has an endpoint that cannot be read.
enum EndpointEventRow {
    /// How many rows are read at once. Rows that one endpoint does not want may be kept for another one, without a limit.
    private static let rowsAtOnce = 256

    /// Enters that a message was disabled, if the organization has an endpoint.
    static func messageDisabled(
        _ message: MessageID, of organization: Int64, at now: Timestamp, _ db: any SQLConnection
    ) throws {
        guard try EndpointRow.count(of: organization, db) > 0 else { return }
        try insert(.messageDisabled, of: organization, subject: Int64(message.rawValue), at: now, db)
    }

    /// - Parameters:
    ///   - endpoint: the only endpoint that gets the event; `nil` for all endpoints of the organization.
    ///   - detail: the code of a state.
    /// - Returns: the number of the event.
    @discardableResult
    static func insert(
        _ kind: EventKind, of organization: Int64, for endpoint: EndpointID? = nil, subject: Int64? = nil,
        detail: EndpointState? = nil, at now: Timestamp, _ db: any SQLConnection
    ) throws -> Int64 {
        let number = try db.statement(
            """
            INSERT INTO endpoint_events (organization, kind, endpoint, subject, detail, made_at)
            VALUES (?, ?, ?, ?, ?, ?) \(db.dialect.returningNumber)
            """
        ).newNumber(organization, kind.code, endpoint, subject, detail?.code, now)
        try removePassed(of: organization, db)
        return number
    }

    /// Removes the rows that need not be sent to any endpoint of an organization. The last row of the table stays,
    /// because it gives the number of the next one. Behind each endpoint's place only the next rows are read; what
    /// could be removed behind them goes with a later call. An endpoint that cannot be read gets its events once its row
    /// is put right, so nothing is removed meanwhile.
    static func removePassed(of organization: Int64, _ db: any SQLConnection) throws {
        let endpoints: [EndpointRow]
        do {
            endpoints = try EndpointRow.all(of: organization, db)
        } catch RowError.unreadableEndpoint {
            return
        }
        let kept = try endpoints.compactMap { row in
            let ahead = try next(after: row.event, for: row.endpoint, of: organization, db)
            return ahead.event?.number ?? ahead.passed.map { $0 == .max ? $0 : $0 + 1 }
        }
        try db.statement(
            """
            DELETE FROM endpoint_events
            WHERE organization = ? AND number < ? AND number < (SELECT max(number) FROM endpoint_events)
            """
        ).run(organization, kept.min() ?? .max)
    }

    /// The test that was requested last and waits. It is searched only among the newest rows of the organization, so an
    /// endpoint may have several only where many other events were committed between them.
    static func waitingTest(
        after number: Int64, for endpoint: EndpointID, of organization: Int64, _ db: any SQLConnection
    ) throws -> WebhookEvent? {
        try db.statement(
            """
            SELECT number, made_at FROM (
                SELECT number, kind, endpoint, made_at FROM endpoint_events
                WHERE organization = ? AND number > ? ORDER BY number DESC LIMIT \(rowsAtOnce)
            ) AS newest
            WHERE kind = ? AND endpoint = ? ORDER BY number DESC LIMIT 1
            """
        ).first(organization, number, EventKind.endpointTest.code, endpoint) { row in
            WebhookEvent(.test, at: row.timestamp(1), number: row.integer(0))
        }
    }

    static func last(_ db: any SQLConnection) throws -> Int64 {
        try db.statement("SELECT max(number) FROM endpoint_events").first { $0.optionalInteger(0) }.flatMap(\.self) ?? 0
    }

    /// What comes behind an endpoint's place.
    struct Ahead {
        /// The first event that the endpoint wants; `nil` if it wants none of those that were read.
        var event: WebhookEvent?
        /// The last row that was read, if the endpoint wants none and there may be more behind it.
        var passed: Int64?
    }

    /// The first event behind `number` that an endpoint wants: it gets all of its own tests, and no failures of its
    /// own.
    static func next(
        after number: Int64, for endpoint: Endpoint, of organization: Int64, _ db: any SQLConnection
    ) throws -> Ahead {
        let kinds = endpoint.kinds.union([.endpointTest]).map { "\($0.code)" }.sorted().joined(separator: ", ")
        let event = try db.statement(
            """
            SELECT number, kind, subject, detail, made_at FROM (
                SELECT number, kind, endpoint, subject, detail, made_at FROM endpoint_events
                WHERE organization = ? AND number > ? ORDER BY number LIMIT \(rowsAtOnce)
            ) AS ahead
            WHERE kind IN (\(kinds)) AND (endpoint IS NULL OR endpoint = ?)
                AND (kind <> \(EventKind.endpointFailing.code) OR subject <> ?)
            ORDER BY number LIMIT 1
            """
        ).first(organization, number, endpoint.id, endpoint.id) { row in
            WebhookEvent(try content(row), at: row.timestamp(4), number: row.integer(0))
        }
        if let event { return Ahead(event: event, passed: nil) }
        let passed = try db.statement(
            """
            SELECT number FROM endpoint_events
            WHERE organization = ? AND number > ? ORDER BY number LIMIT 1 OFFSET \(rowsAtOnce - 1)
            """
        ).first(organization, number) { $0.integer(0) }
        return Ahead(event: nil, passed: passed)
    }

    private static func content(_ row: SQLRow) throws(StorageError) -> WebhookEvent.Content {
        switch try EventKind(code: row.integer(1)) {
        case .messageDisabled: .messageDisabled(try row.id(2))
        case .endpointFailing: .endpointFailing(try row.id(2), try EndpointState(code: row.integer(3)))
        case .endpointTest: .test
        case .consentRecorded, .recipientErased, .interactionsAvailable: throw .unreadable
        }
    }
}
