import Consent
package import Identifiers
import Messages
package import SQL
package import StoragePorts

/// The changes of the rules as rows, for processes that share a database. A row for consents or an erasure contains the
/// whole change. Any other row names what the reader must read again, which may have changed further since.
package enum RuleChangeRow {
    /// In rows, including the row at the cursor.
    private static let pageLength = 1024

    /// The format of each kind never changes.
    private enum Kind: Int64 {
        case consent = 1
        case erasure = 2
        case recording = 3
        case privacyControl = 4
        case message = 5
    }

    /// Enters changes behind `head`, inside a transaction. Only one transaction at a time may do so.
    /// - Returns: the cursor after each change.
    package static func insert(
        _ changes: [RuleChange], after head: RuleCursor, _ db: any SQLConnection
    ) throws -> [RuleCursor] {
        var cursors: [RuleCursor] = []
        let insert = try db.rows("INSERT INTO rule_changes (position, mark, kind, payload) VALUES (?, ?, ?, ?)")
        for change in changes {
            let cursor = RuleCursor(
                position: (cursors.last ?? head).position &+ 1, mark: UInt64.random(in: .min ... .max))
            cursors.append(cursor)
            let (kind, payload) = packed(change)
            try insert.add(
                Int64(bitPattern: cursor.position), Int64(bitPattern: cursor.mark), kind.rawValue, payload)
        }
        try insert.finish()
        return cursors
    }

    /// The changes after `cursor`, and whether `cursor` belongs to the history in the table: the row at the cursor must
    /// have the cursor's mark.
    /// - Parameter now: the time for which the consent in force is read again.
    /// - Returns: also whether the page reaches the end of what was committed before the call.
    package static func page(
        after cursor: RuleCursor, at now: Timestamp, _ db: any SQLConnection
    ) throws -> (page: RulePage, isLast: Bool) {
        let head = try head(db)
        guard head != cursor else { return (.changes([], next: cursor), true) }
        let page = try page(behind: cursor, at: now, db)
        guard case .changes(_, let next) = page else { return (page, false) }
        return (page, next.position >= head.position)
    }

    private static func page(
        behind cursor: RuleCursor, at now: Timestamp, _ db: any SQLConnection
    ) throws -> RulePage {
        guard cursor.position <= Int64.max else { return .replaced(isOtherHistory: true) }
        var changes: [RuleChange] = []
        var next = cursor
        // Before the first change there is no row to compare.
        var isKnown = cursor == .beginning
        var isReadable = true
        let rows = try db.statement(
            """
            SELECT position, mark, kind, CASE WHEN position > ?1 THEN payload END FROM rule_changes
            WHERE position >= ?1 ORDER BY position LIMIT \(pageLength)
            """
        ).all(Int64(bitPattern: cursor.position)) { row in
            (
                at: RuleCursor(
                    position: UInt64(bitPattern: row.integer(0)), mark: UInt64(bitPattern: row.integer(1))),
                kind: row.integer(2), payload: row.isNull(3) ? nil : row.bytes(3)
            )
        }
        for row in rows {
            guard let payload = row.payload else {
                isKnown = row.at == cursor
                continue
            }
            guard row.at.position == next.position &+ 1 else { return .replaced(isOtherHistory: false) }
            next = row.at
            do {
                if let change = try change(row.kind, payload, at: now, db) { changes.append(change) }
            } catch StorageError.unreadable {
                isReadable = false
            }
        }
        guard isKnown else { return .replaced(isOtherHistory: try !isForgotten(cursor, db)) }
        return isReadable ? .changes(changes, next: next) : .replaced(isOtherHistory: false)
    }

    /// Whether a follower at `cursor` has a change that the history in the table does not have.
    package static func isOfOtherHistory(_ cursor: RuleCursor, _ db: any SQLConnection) throws -> Bool {
        guard cursor != .beginning, try head(db) != cursor else { return false }
        guard cursor.position <= Int64.max else { return true }
        let mark = try db.statement("SELECT mark FROM rule_changes WHERE position = ?")
            .first(Int64(bitPattern: cursor.position)) { UInt64(bitPattern: $0.integer(0)) }
        guard let mark else { return try !isForgotten(cursor, db) }
        return mark != cursor.mark
    }

    /// Whether the change at the cursor is older than all that are kept.
    private static func isForgotten(_ cursor: RuleCursor, _ db: any SQLConnection) throws -> Bool {
        let first = try db.statement("SELECT min(position) FROM rule_changes").first { $0.optionalInteger(0) } ?? nil
        return first.map { UInt64(bitPattern: $0) > cursor.position } ?? false
    }

    /// The cursor after the last change.
    package static func head(_ db: any SQLConnection) throws -> RuleCursor {
        let head = try db.statement("SELECT feed_position, feed_mark FROM writer").first { row in
            RuleCursor(position: UInt64(bitPattern: row.integer(0)), mark: UInt64(bitPattern: row.integer(1)))
        }
        guard let head else { throw StorageError.unreadable }
        return head
    }

    /// Removes changes that are older than the longest absence after which a node continues in the feed (7 days), but
    /// keeps the last one.
    package static func forget(_ db: any SQLConnection) throws {
        try db.statement(
            """
            DELETE FROM rule_changes
            WHERE position < (SELECT feed_position FROM writer) AND made_at < now() - interval '7 days'
            """
        ).run()
    }
}

extension RuleCursor {
    /// The cursor of a feed without a change.
    package static let beginning = RuleCursor(position: 0, mark: 0)
}

// MARK: - Content of a row

extension RuleChangeRow {
    private static func packed(_ change: RuleChange) -> (Kind, [UInt8]) {
        var bytes = PackedBytes()
        switch change {
        case .consent(let changes, let organization):
            bytes.append(organization.description)
            bytes.append(UInt64(changes.count))
            for change in changes { bytes.append(change) }
            return (.consent, bytes.bytes)
        case .erasure(let reference, let organization):
            bytes.append(organization.description)
            bytes.append(reference.rawValue)
            return (.erasure, bytes.bytes)
        case .recording(_, _, let organization):
            bytes.append(organization.description)
            return (.recording, bytes.bytes)
        case .privacyControl(let isHonored, let organization):
            bytes.append(organization.description)
            bytes.append(isHonored ? 1 : 0)
            return (.privacyControl, bytes.bytes)
        case .message(let message):
            bytes.append(message.id.rawValue)
            bytes.append(message.isDisabled ? 1 : 0)
            return (.message, bytes.bytes)
        }
    }

    /// - Returns: `nil` for a message that has been removed since.
    /// - Throws: `StorageError.unreadable`, also for a kind that this version does not know.
    private static func change(
        _ kind: Int64, _ payload: [UInt8], at now: Timestamp, _ db: any SQLConnection
    ) throws -> RuleChange? {
        guard let kind = Kind(rawValue: kind) else { throw StorageError.unreadable }
        var rest = PackedReader(payload)
        switch kind {
        case .consent:
            let organization = try rest.organization()
            let count = try rest.number()
            guard count <= UInt64(payload.count) else { throw StorageError.unreadable }
            return .consent(try (0..<count).map { _ in try rest.consentChange() }, organization)
        case .erasure:
            let organization = try rest.organization()
            return .erasure(try rest.reference(), organization)
        case .recording:
            let rules = try RecordingEnds.load(rest.organization(), at: now, db).rules
            return .recording(rules.ends, rules.enforcement, rules.organization)
        case .privacyControl:
            let organization = try rest.organization()
            return .privacyControl(isHonored: try rest.number() == 1, organization)
        case .message:
            guard let id = MessageID(rawValue: try rest.number()) else { throw StorageError.unreadable }
            let isDisabled = try rest.number() == 1
            return try MessageRow.find(id, db).map { found in
                var message = found
                message.isDisabled = isDisabled
                return .message(message)
            }
        }
    }
}

/// Integers of 8 bytes, big-endian, and texts preceded by their length.
private struct PackedBytes {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ number: UInt64) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ text: String) {
        append(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func append(_ change: ConsentChange) {
        append(change.reference.rawValue)
        append(change.purpose.description)
        switch change.status {
        case .nothing: append(0)
        case .erased: append(1)
        case .inForce(let consent):
            append(2)
            append(consent.record.rawValue)
            append(UInt64(consent.state.code))
            append(UInt64(bitPattern: consent.occurredAt.millisecondsSince1970))
            append(consent.validUntil == nil ? 0 : 1)
            append(UInt64(bitPattern: consent.validUntil?.millisecondsSince1970 ?? 0))
        }
    }
}

private struct PackedReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func number() throws -> UInt64 {
        guard rest.count >= 8 else { throw StorageError.unreadable }
        defer { rest = rest.dropFirst(8) }
        return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func text() throws -> String {
        guard let count = Int(exactly: try number()), rest.count >= count else { throw StorageError.unreadable }
        defer { rest = rest.dropFirst(count) }
        return String(decoding: rest.prefix(count), as: UTF8.self)
    }

    mutating func organization() throws -> OrganizationID {
        do throws(IdentifierError) { return try OrganizationID(textOrNothing()) } catch {
            throw StorageError.unreadable
        }
    }

    mutating func reference() throws -> RecipientReference {
        guard let reference = RecipientReference(rawValue: try number()) else { throw StorageError.unreadable }
        return reference
    }

    mutating func consentChange() throws -> ConsentChange {
        let reference = try reference()
        let purpose: Purpose
        do throws(IdentifierError) { purpose = try Purpose(textOrNothing()) } catch { throw StorageError.unreadable }
        return ConsentChange(reference: reference, purpose: purpose, status: try status())
    }

    private mutating func status() throws -> ConsentStatus {
        switch try number() {
        case 0: return .nothing
        case 1: return .erased
        case 2:
            guard let record = ConsentRecordID(rawValue: try number()) else { throw StorageError.unreadable }
            let state = try ConsentState(code: Int64(clamping: try number()))
            let occurredAt = try time()
            let hasEnd = try number() == 1
            let end = try time()
            return .inForce(
                ConsentInForce(
                    record: record, state: state, occurredAt: occurredAt, validUntil: hasEnd ? end : nil))
        default: throw StorageError.unreadable
        }
    }

    private mutating func time() throws -> Timestamp {
        Timestamp(millisecondsSince1970: Int64(bitPattern: try number()))
    }

    /// A text; if there is none, an empty string, which is not a valid name.
    private mutating func textOrNothing() -> String { (try? text()) ?? "" }
}
