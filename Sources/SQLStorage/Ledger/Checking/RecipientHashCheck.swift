import Cryptography
import Identifiers
import Ledger
import SQL

/// Checks that the hashes by which recipients are found lead to rows of their own and say rightly whether the names there
/// are spelt in another way, and that recipients are marked as erased if that follows from the records.
///
/// ``RecipientCheck`` checks the other direction.
struct RecipientHashCheck: TableCheck {
    private static let hashesPerStep: Int64 = 256

    let hasher: RecipientHasher
    let db: any SQLConnection

    private struct Row {
        let hash: [UInt8]
        /// Whether the row has the marks below.
        let isReadable: Bool
        let recipient: Int64?
        let isErased: Bool
        let isRespelled: Bool
        let organization: Int64?
        let identifier: RecipientID?
    }

    /// - Parameter next: the first eight bytes of the smallest hash to look at.
    func step(from next: Int64, owner: (Int64) throws -> OrganizationID?) throws -> TableOutcome {
        let first = withUnsafeBytes(of: UInt64(bitPattern: next).bigEndian) { Array($0) }
        let rows = try db.statement(
            """
            SELECT p.hash, p.recipient, p.is_erased, p.is_respelled, r.organization, r.identifier
            FROM people p LEFT JOIN recipients r ON r.number = p.recipient
            WHERE p.hash >= ? ORDER BY p.hash LIMIT ?
            """
        ).all(first, Self.hashesPerStep) { row in
            let hash = row.bytes(0)
            let marks = try row.ifReadable { (isErased: row.bool(2), isRespelled: row.bool(3)) }
            let identifier = try row.ifReadable { try row.recipient(5) } ?? nil
            return Row(
                hash: hash, isReadable: marks != nil, recipient: row.optionalInteger(1),
                isErased: marks?.isErased ?? false, isRespelled: marks?.isRespelled ?? false,
                organization: row.optionalInteger(4), identifier: identifier)
        }
        for row in rows {
            guard let finding = try finding(row, owner) else { continue }
            // Looks again: a row without a recipient concerns every organization that has erased a recipient.
            return TableOutcome(next: Self.position(of: row.hash), finding: finding)
        }
        guard rows.count == Int(Self.hashesPerStep), let last = rows.last.map({ Self.position(of: $0.hash) }),
            last != -1
        else { return TableOutcome() }
        return TableOutcome(next: last &+ 1)
    }

    private static func position(of hash: [UInt8]) -> Int64 {
        Int64(bitPattern: hash.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private func finding(_ row: Row, _ owner: (Int64) throws -> OrganizationID?) throws -> LedgerInconsistency? {
        guard let recipient = row.recipient, let organization = row.organization else {
            guard row.recipient != nil || !row.isErased else { return nil }
            return try anyErasing(owner).map { LedgerInconsistency($0, .derived(.register)) }
        }
        guard let id = try owner(organization) else { return nil }
        guard row.isReadable, let identifier = row.identifier, try isFound(identifier, in: id, by: row) else {
            return LedgerInconsistency(id, .derived(.recipient(recipient)))
        }
        guard row.isErased, try !ErasureMarks(organization: organization, db: db).mayBeMarked(recipient) else {
            return nil
        }
        return LedgerInconsistency(id, .derived(.marked(recipient)))
    }

    /// Whether a recipient of this name is found by the row, and entered by this name.
    private func isFound(
        _ identifier: RecipientID, in organization: OrganizationID, by row: Row
    ) throws -> Bool {
        let comparison = try UnreadableOrganization.named(organization) {
            try OrganizationRow.require(organization, db)
        }.comparison
        let person = try hasher.person(named: identifier, in: organization, by: comparison)
        return person.hash.span.withUnsafeBufferPointer { $0.elementsEqual(row.hash) }
            && person.key.isRespelled == row.isRespelled
    }

    /// The next organization whose ledger is not closed and has an entry about an erasure.
    private func anyErasing(_ owner: (Int64) throws -> OrganizationID?) throws -> OrganizationID? {
        let erasing = try db.statement(
            """
            SELECT DISTINCT organization FROM ledger_events
            WHERE \(db.dialect.bytes("entry", contain: StoredEvent.Kind.erasure.text)) AND organization IS NOT NULL
            """
        ).all { $0.integer(0) }
        for organization in erasing {
            if let id = try owner(organization) { return id }
        }
        return nil
    }
}
