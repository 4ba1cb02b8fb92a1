import Identifiers
import SQL
import Webhooks

/// The last attempts of an endpoint.
enum AttemptRow {
    /// - Parameter number: grows with each attempt of the endpoint.
    static func insert(
        _ attempt: DeliveryAttempt, number: Int64, of endpoint: EndpointID, _ db: any SQLConnection
    ) throws {
        let (status, failure): (Int?, String?) =
            switch attempt.outcome {
            case .answered(let status, _): (status, nil)
            case .failed(let failure): (nil, failure.rawValue)
            }
        try db.statement(
            """
            INSERT INTO endpoint_attempts (
                endpoint, number, made_at, kind, webhook_id, status, failure, milliseconds
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).run(
            endpoint, number, attempt.instant, attempt.kind.code, attempt.webhookID, status, failure,
            attempt.milliseconds)
        try db.statement("DELETE FROM endpoint_attempts WHERE endpoint = ? AND number <= ?")
            .run(endpoint, number - Int64(DeliveryAttempt.kept))
    }

    static func all(of endpoint: EndpointID, _ db: any SQLConnection) throws -> [DeliveryAttempt] {
        try db.statement(
            """
            SELECT made_at, kind, webhook_id, status, failure, milliseconds FROM endpoint_attempts
            WHERE endpoint = ? ORDER BY number
            """
        ).all(endpoint) { row in
            let outcome: DeliveryOutcome
            if row.isNull(3) {
                guard let failure = DeliveryFailure(rawValue: row.text(4)) else { throw StorageError.unreadable }
                outcome = .failed(failure)
            } else {
                outcome = .answered(status: Int(row.integer(3)), retryAfter: nil)
            }
            return DeliveryAttempt(
                instant: row.timestamp(0), kind: try EventKind(code: row.integer(1)), webhookID: row.text(2),
                outcome: outcome, milliseconds: Int(row.integer(5)))
        }
    }

    static func removeAll(of endpoint: EndpointID, _ db: any SQLConnection) throws {
        try db.statement("DELETE FROM endpoint_attempts WHERE endpoint = ?").run(endpoint)
    }
}
