import Identifiers
import SQL
import Webhooks

/// Events that are in no other table. Their numbers grow in the order of the commits, and no number is used again.
///
/// A row stays until it need not be sent to any endpoint. Such rows are removed with the next insert for the
/// organization, and when an endpoint is removed.
enum EndpointEventRow {
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
    /// because it gives the number of the next one.
    static func removePassed(of organization: Int64, _ db: any SQLConnection) throws {
        let wanted = try EndpointRow.readable(of: organization, db).compactMap { row in
            try next(after: row.event, for: row.endpoint, of: organization, db)?.number
        }
        try db.statement(
            """
            DELETE FROM endpoint_events
            WHERE organization = ? AND number < ? AND number < (SELECT max(number) FROM endpoint_events)
            """
        ).run(organization, wanted.min() ?? .max)
    }

    static func last(_ db: any SQLConnection) throws -> Int64 {
        try db.statement("SELECT max(number) FROM endpoint_events").first { $0.optionalInteger(0) }.flatMap(\.self) ?? 0
    }

    /// The first event behind `number` that an endpoint wants: it gets all of its own tests, and no failures of its
    /// own.
    static func next(
        after number: Int64, for endpoint: Endpoint, of organization: Int64, _ db: any SQLConnection
    ) throws -> WebhookEvent? {
        let kinds = endpoint.kinds.union([.endpointTest]).map { "\($0.code)" }.sorted().joined(separator: ", ")
        return try db.statement(
            """
            SELECT number, kind, subject, detail, made_at FROM endpoint_events
            WHERE organization = ? AND number > ? AND kind IN (\(kinds)) AND (endpoint IS NULL OR endpoint = ?)
                AND (kind <> \(EventKind.endpointFailing.code) OR subject <> ?)
            ORDER BY number LIMIT 1
            """
        ).first(organization, number, endpoint.id, endpoint.id) { row in
            WebhookEvent(try content(row), at: row.timestamp(4), number: row.integer(0))
        }
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
