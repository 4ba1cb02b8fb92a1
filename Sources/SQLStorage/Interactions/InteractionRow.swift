import Identifiers
import Interactions
import SQL

/// Reads interactions.
enum InteractionRow {
    static func find(_ id: Int64, _ db: any SQLConnection) throws -> Interaction? {
        try db.statement("\(columns) WHERE i.id = ?").first(id, read: interaction)
    }

    /// The interactions with these ids, in the order of `ids`; with one query, if the engine has lists.
    static func find(_ ids: [Int64], _ db: any SQLConnection) throws -> [Interaction] {
        guard db.dialect.hasLists, ids.count > 1 else { return try ids.compactMap { try find($0, db) } }
        var found: [Int64: Interaction] = [:]
        try db.statement("\(columns) WHERE i.id = ANY(?)").forEach(IntegerList(ids)) { row in
            found[row.integer(0)] = try interaction(row)
            return true
        }
        return ids.compactMap { found[$0] }
    }

    /// The inner query makes a server look up each recipient, where it might otherwise merge the whole table.
    private static let columns = """
        SELECT i.id, i.kind, i.source, i.occurred_at, i.recorded_at,
            (SELECT identifier FROM recipients WHERE number = i.recipient), i.message, i.link, i.action, i.visitor,
            i.is_first, i.position
        FROM interactions i
        """

    /// - Throws: ``RowError/unreadableInteraction(_:)``
    private static func interaction(_ row: SQLRow) throws -> Interaction {
        let id: InteractionID = try row.id(0)
        guard let interaction = try row.ifReadable({ try interaction(row, id) }) else {
            throw RowError.unreadableInteraction(id)
        }
        return interaction
    }

    private static func interaction(_ row: SQLRow, _ id: InteractionID) throws -> Interaction {
        Interaction(
            id: id,
            position: try row.id(11),
            kind: try InteractionKind(code: row.integer(1)),
            source: try InteractionSource(code: row.integer(2)),
            occurredAt: row.timestamp(3),
            recordedAt: row.timestamp(4),
            recipient: try row.recipient(5),
            message: try row.id(6),
            link: try link(row.integer(7)),
            action: row.optionalText(8).flatMap(ActionIdentifier.init),
            visitor: try visitor(row.integer(9)),
            isFirst: row.bool(10)
        )
    }

    /// The position that a cursor stands for.
    static func position(of cursor: InteractionFeedCursor, in organization: Int64, _ db: any SQLConnection) throws
        -> InteractionPosition
    {
        switch cursor {
        case .position(let position): return position
        case .interaction(let id):
            return try storedPosition(of: id, in: organization, db) ?? InteractionPosition(id.number)
        }
    }

    /// `nil` if the organization has no such interaction.
    private static func storedPosition(
        of id: InteractionID, in organization: Int64, _ db: any SQLConnection
    ) throws -> InteractionPosition? {
        try db.statement("SELECT position FROM interactions WHERE id = ? AND organization = ?")
            .first(id, organization) { try $0.id(0) }
    }

    /// Whether a reader of the organization's feed can have got `cursor`. Reads only rows of this organization, so that
    /// the answer tells nothing about others.
    static func isKnown(_ cursor: InteractionFeedCursor, in organization: Int64, _ db: any SQLConnection) throws -> Bool
    {
        switch cursor {
        case .position(let position):
            return try canFollow(position, in: organization, db)
        case .interaction(let id):
            if try storedPosition(of: id, in: organization, db) != nil { return true }
            let purged = try ForgettingState.find(organization, db)?.purged ?? 0
            return try Int64(id.rawValue) <= purged || canFollow(InteractionPosition(id.number), in: organization, db)
        }
    }

    /// Whether there is an interaction at `position`, or none up to it. Looks at one row for each kind.
    private static func canFollow(
        _ position: InteractionPosition, in organization: Int64, _ db: any SQLConnection
    ) throws -> Bool {
        let wanted = Int64(position.rawValue)
        let found = try InteractionPositions.greatest(through: wanted, of: organization, db)
        return found.isEmpty || found.contains(wanted)
    }

    /// The reports of devices since `instant`, newest last, without rows that cannot be read: a start of the service
    /// reads them.
    static func reports(since instant: Timestamp, _ db: any SQLConnection) throws -> [Occurrence] {
        try db.statement(
            """
            SELECT i.kind, i.source, i.occurred_at, i.message, r.reference, i.action
            FROM interactions i JOIN recipients r ON r.number = i.recipient
            WHERE i.id >= ? AND i.source != ? ORDER BY i.id
            """
        ).all(Int64(TimeOrderedNumber.lowerBound(at: instant)), InteractionSource.redirect.code) { row in
            try row.ifReadable { try report(row) }
        }.compactMap(\.self)
    }

    private static func report(_ row: SQLRow) throws -> Occurrence {
        Occurrence(
            kind: try InteractionKind(code: row.integer(0)), source: try InteractionSource(code: row.integer(1)),
            occurredAt: row.timestamp(2), message: try row.id(3), recipient: try row.reference(4), link: .message,
            visitor: .deviceReport, action: row.optionalText(5).flatMap(ActionIdentifier.init))
    }

    private static func visitor(_ code: Int64) throws(StorageError) -> Visitor {
        guard let visitor = UInt8(exactly: code).flatMap(Visitor.init(rawValue:)) else { throw .unreadable }
        return visitor
    }

    private static func link(_ index: Int64) throws(StorageError) -> LinkIndex {
        guard let index = UInt16(exactly: index) else { throw .unreadable }
        return LinkIndex(rawValue: index)
    }
}
