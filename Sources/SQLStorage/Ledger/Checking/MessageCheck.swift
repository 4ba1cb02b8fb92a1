import Consent
import Cryptography
import Identifiers
import Ledger
import Messages
import SQL

/// Checks that the stored values of messages agree with each other and with the decisions about the messages: whether
/// they track, and for which purpose.
struct MessageCheck: TableCheck {
    private static let messagesPerStep: Int64 = 32

    let db: any SQLConnection

    private struct Row {
        let id: Int64
        /// `nil` if it cannot be read.
        let organization: Int64?
        let fault: LedgerMessageFault?
        let content: Message?
    }

    func step(from next: Int64, owner: (Int64) throws -> OrganizationID?) throws -> TableOutcome {
        let rows = try db.statement(
            """
            SELECT m.id, m.content, m.digest, p.name, m.expires_at, m.organization, m.opens_purpose, o.name,
                m.created_at, m.is_disabled
            FROM messages m LEFT JOIN purposes p ON p.number = m.purpose
                LEFT JOIN purposes o ON o.number = m.opens_purpose
            WHERE m.id >= ? ORDER BY m.id LIMIT ?
            """
        ).all(next, Self.messagesPerStep) { row in
            let id = row.integer(0)
            let organization = try row.ifReadable { row.integer(5) }
            let checked = try row.ifReadable {
                let content = try? Message(canonicalJSON: row.bytes(1))
                // Only whether they can be read: nothing else tells what they must be.
                _ = (row.timestamp(8), row.bool(9))
                return (fault: Self.fault(row, content), content: content)
            }
            return Row(
                id: id, organization: organization, fault: checked.map(\.fault) ?? .unreadable,
                content: checked?.content)
        }
        for row in rows {
            guard let number = try row.organization ?? listing(row.id), let organization = try owner(number),
                let fault = try row.fault ?? fault(of: row, in: number)
            else { continue }
            let id = String(UInt64(bitPattern: row.id), radix: 16)
            let finding = LedgerInconsistency(organization, .derived(.message(id, fault)))
            return .after(row.id, finding: finding)
        }
        let last = rows.count == Int(Self.messagesPerStep) ? rows.last?.id : nil
        return last.map { .after($0) } ?? TableOutcome()
    }

    /// The organization whose lists have the message.
    private func listing(_ id: Int64) throws -> Int64? {
        try db.statement("SELECT organization FROM message_names WHERE message = ? ORDER BY organization LIMIT 1")
            .first(id) { $0.integer(0) }
    }

    /// Checks that the message is the one that its digest and its other columns describe.
    private static func fault(_ row: SQLRow, _ content: Message?) -> LedgerMessageFault? {
        guard let content else { return .unreadable }
        guard SHA256.hash(of: row.bytes(1)) == row.bytes(2), agree(row, content.purposes),
            content.expiresAt == row.optionalTimestamp(4)
        else { return .content }
        return nil
    }

    private static func agree(_ row: SQLRow, _ purposes: MessagePurposes) -> Bool {
        guard purposes.clicks.description == row.text(3) else { return false }
        return purposes.shared != nil ? row.isNull(6) : row.optionalText(7) == purposes.opens.description
    }

    private func fault(of row: Row, in organization: Int64) throws -> LedgerMessageFault? {
        guard row.organization != nil, let content = row.content,
            let id = MessageID(rawValue: UInt64(bitPattern: row.id))
        else { return .unreadable }
        do {
            let links = try AddedLinkRow.all(of: id, after: nil, db)
            guard content.mayHave(added: links) else { return .links }
        } catch is TargetURLError {
            return .links
        } catch StorageError.unreadable {
            return .links
        }
        do {
            guard try MessageListRow.agrees(with: content, of: row.id, organization: organization, db) else {
                return .listing
            }
        } catch StorageError.unreadable {
            return .listing
        }
        do {
            return try decisionFault(row.id, isTracked: content.tracking)
        } catch StorageError.unreadable {
            return .counts
        }
    }

    private func decisionFault(_ id: Int64, isTracked: Bool) throws -> LedgerMessageFault? {
        let found = try db.statement(
            """
            SELECT reason, count(*) FROM decisions INDEXED BY decisions_by_message WHERE message = ?
            GROUP BY reason ORDER BY reason
            """
        ).all(id) { [$0.integer(0), $0.integer(1)] }
        let counted = try db.statement("SELECT reason, count FROM decision_counts WHERE message = ? ORDER BY reason")
            .all(id) { [$0.integer(0), $0.integer(1)] }
        if found != counted { return .counts }
        let off = Int64(DecisionReason.trackingOffForMessage.code)
        return found.contains { ($0[0] == off) == isTracked } ? .tracking : nil
    }
}
