import Identifiers
import SQL
import SQLStorage
import StoragePorts

/// The nodes of a database as rows.
enum NodeRow {
    /// A process that has been silent for longer counts as ended.
    static let timeout = Duration.seconds(3)

    private static let (running, stopped) = (Node.State.running.rawValue, Node.State.stopped.rawValue)

    /// An interval of whole seconds in PostgreSQL's syntax.
    private static func interval(_ duration: Duration) -> String { "interval '\(duration.components.seconds) seconds'" }

    /// A process that cannot be asked whether it still writes has been silent for longer.
    private static let writerTimeout = Duration.hours(1)

    /// Whether a node is silent, in SQL. A sign of life in the future was given before the database's clock went back: a
    /// running node has given another one since, a second later.
    private static func isSilent(for timeout: Duration) -> String {
        "(beat_at <= now() - \(interval(timeout)) OR beat_at >= now() + \(interval(Node.heartbeatTimeout)))"
    }

    /// Enters the node, or finds it, for a process that starts. Must run in a transaction that holds the row of the
    /// writer.
    ///
    /// - Parameters:
    ///   - isRestored: whether a service ran with the folder before. If so, and the database does not know the folder,
    ///     it is a copy, and gets the node of its name back.
    ///   - seen: the last change of the rules that the node's mirror has; `nil` if there is none.
    ///   - instance: the id of the process.
    /// - Throws: ``NodeRefusal``; ``NodeBusy`` if another process with this identity may be running.
    static func register(
        _ node: NodeIdentity, isRestored: Bool, seen: RuleCursor? = nil, instance: [UInt8], _ db: any SQLConnection
    ) throws -> NodeSlot {
        let known = try db.statement(
            """
            SELECT slot, place = ? OR state = \(stopped) OR \(isSilent(for: timeout)), name
            FROM nodes WHERE id = ?
            """
        ).first(node.place, node.id.description) { row in
            (slot: row.integer(0), isFree: row.bool(1), name: NodeName(row.text(2)))
        }
        if known == nil, node.slot != nil {
            let isOther = try seen.map { try RuleChangeRow.isOfOtherHistory($0, db) } ?? false
            throw isOther ? NodeRefusal.unknown : .removed
        }
        if known == nil, isRestored, let slot = try takeOver(node, instance: instance, db) { return slot }
        guard try !isTaken(node.name, by: node.id, db) else { throw NodeRefusal.nameTaken(node.name) }
        guard let known else { return try insert(node, instance: instance, db) }
        guard known.isFree else { throw NodeBusy(name: known.name) }
        guard let slot = UInt8(exactly: known.slot).flatMap(NodeSlot.init) else { throw StorageError.unreadable }
        try take(known.slot, for: node, instance: instance, db)
        return slot
    }

    private static func take(
        _ slot: Int64, for node: NodeIdentity, instance: [UInt8], _ db: any SQLConnection
    ) throws {
        try db.statement(
            """
            UPDATE nodes SET name = ?, place = ?, instance = ?, version = ?, peer = ?, state = \(running), seals = true,
                beat_at = now()
            WHERE slot = ?
            """
        ).run(node.name.description, node.place, instance, node.version, node.peerAddress, slot)
    }

    /// Enters a running process again in a database that was put back to a state without it.
    /// - Returns: how often the node's row was written in that database; `nil` if the process cannot go on there:
    ///   another one with its folder may be running, or its slot or its name is another node's.
    static func reenter(
        _ node: NodeIdentity, at slot: NodeSlot, instance: [UInt8], _ db: any SQLConnection
    ) throws -> Int64? {
        guard try !isTaken(node.name, by: node.id, db) else { return nil }
        let number = Int64(slot.rawValue)
        let found = try db.statement(
            """
            SELECT id = ?1, place = ?2 OR state = \(stopped) OR \(isSilent(for: timeout)), beats, slot
            FROM nodes WHERE id = ?1 OR slot = ?3
            """
        ).all(node.id.description, node.place, number) { row in
            (isOwn: row.bool(0), isFree: row.bool(1), beats: row.integer(2), slot: row.integer(3))
        }
        guard let row = found.first else {
            try insert(node, at: number, instance: instance, db)
            return 0
        }
        guard found.count == 1, row.isOwn, row.isFree, row.slot == number else { return nil }
        try take(number, for: node, instance: instance, db)
        return row.beats
    }

    /// How often the row of a node was written; `nil` if there is no such node.
    static func beats(of id: FolderID, _ db: any SQLConnection) throws -> Int64? {
        try db.statement("SELECT beats FROM nodes WHERE id = ?").first(id.description) { $0.integer(0) }
    }

    /// Gives a silent node to another folder, which has its slot from then on. What the database knew about the node's
    /// last process is removed.
    /// - Returns: `nil` if no node has the name.
    private static func takeOver(
        _ node: NodeIdentity, instance: [UInt8], _ db: any SQLConnection
    ) throws -> NodeSlot? {
        let found = try db.statement(
            "SELECT slot, state = \(stopped) OR \(isSilent(for: Node.heartbeatTimeout)) FROM nodes WHERE name = ?"
        ).first(node.name.description) { row in (slot: row.integer(0), isSilent: row.bool(1)) }
        guard let found else { return nil }
        guard found.isSilent else { throw NodeRefusal.notSilent(node.name) }
        guard let slot = UInt8(exactly: found.slot).flatMap(NodeSlot.init) else { throw StorageError.unreadable }
        try db.statement(
            """
            UPDATE nodes SET id = ?, place = ?, instance = ?, version = ?, peer = ?, state = \(running), position = 0,
                mark = 0, spooled = 0, ring = 0, beats = 0, seals = true, beat_at = now()
            WHERE slot = ?
            """
        ).run(node.id.description, node.place, instance, node.version, node.peerAddress, found.slot)
        return slot
    }

    private static func isTaken(_ name: NodeName, by id: FolderID, _ db: any SQLConnection) throws -> Bool {
        try db.statement("SELECT 1 FROM nodes WHERE name = ? AND id <> ?")
            .first(name.description, id.description) { _ in true } ?? false
    }

    private static func insert(_ node: NodeIdentity, instance: [UInt8], _ db: any SQLConnection) throws -> NodeSlot {
        let taken = Set(try db.statement("SELECT slot FROM nodes").all { $0.integer(0) })
        guard let free = (0..<(Int64(1) << Int64(NodeSlot.bits))).first(where: { !taken.contains($0) }),
            let slot = NodeSlot(rawValue: UInt8(free))
        else { throw NodeRefusal.noSlotFree }
        try insert(node, at: free, instance: instance, db)
        return slot
    }

    private static func insert(
        _ node: NodeIdentity, at slot: Int64, instance: [UInt8], _ db: any SQLConnection
    ) throws {
        try db.statement(
            """
            INSERT INTO nodes (
                slot, id, name, place, instance, version, peer, state, position, mark, spooled, ring, beats, seals,
                beat_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?, \(running), 0, 0, 0, 0, 0, true, now())
            """
        ).run(slot, node.id.description, node.name.description, node.place, instance, node.version, node.peerAddress)
    }

    /// Notes that the process is running and has applied the rules up to `cursor`.
    /// - Parameter spooled: the number of clicks in its spool; `nil` if it does not know yet.
    /// - Returns: how often the node's row was written, this time included; `nil` if the row is another process's, or
    ///   there is none.
    static func beat(
        _ slot: NodeSlot, instance: [UInt8], applied cursor: RuleCursor, spooled: Int?, ring: Int64,
        _ db: any SQLConnection
    ) throws -> Int64? {
        try db.statement(
            """
            UPDATE nodes SET position = ?, mark = ?, spooled = coalesce(?, spooled), ring = ?, beats = beats + 1,
                beat_at = now(), state = \(running)
            WHERE slot = ? AND instance = ?
            RETURNING beats
            """
        ).first(
            Int64(bitPattern: cursor.position), Int64(bitPattern: cursor.mark), spooled.map(Int64.init), ring,
            Int64(slot.rawValue), instance
        ) { $0.integer(0) }
    }

    /// Notes that the process ends.
    /// - Parameter spooled: the number of clicks in its spool; `nil` if it does not know. Then the node is silent.
    static func stop(_ slot: NodeSlot, instance: [UInt8], spooled: Int?, _ db: any SQLConnection) throws {
        guard let spooled else {
            return try db.statement(
                "UPDATE nodes SET beat_at = least(beat_at, now() - \(interval(Node.heartbeatTimeout))) WHERE slot = ? AND instance = ?"
            ).run(Int64(slot.rawValue), instance)
        }
        try db.statement("UPDATE nodes SET state = \(stopped), spooled = ? WHERE slot = ? AND instance = ?")
            .run(spooled, Int64(slot.rawValue), instance)
    }

    /// The running nodes, without the calling one. A position whose mark the feed does not have belongs to another
    /// history and counts as 0.
    static func signs(but slot: NodeSlot, _ db: any SQLConnection) throws -> [NodeSigns.Sign] {
        try db.statement(
            """
            SELECT n.slot, n.instance, n.beats, CASE WHEN EXISTS (
                SELECT 1 FROM rule_changes c WHERE c.position = n.position AND c.mark = n.mark
            ) THEN n.position ELSE 0 END
            FROM nodes n WHERE n.slot <> ? AND n.state = \(running)
            """
        ).all(Int64(slot.rawValue)) { row in
            NodeSigns.Sign(
                slot: row.integer(0), instance: row.bytes(1), beats: row.integer(2),
                applied: UInt64(bitPattern: row.integer(3)))
        }
    }

    /// The addresses at which the running nodes can be asked, without the calling node.
    static func peers(but slot: NodeSlot, _ db: any SQLConnection) throws -> [String] {
        try db.statement(
            "SELECT peer FROM nodes WHERE slot <> ? AND state = \(running) AND peer IS NOT NULL ORDER BY slot"
        ).all(Int64(slot.rawValue)) { $0.text(0) }
    }

    /// The names of the running nodes, except one.
    /// - Parameter id: the id in the data folder of that one; `nil` for none.
    static func alive(but id: FolderID?, _ db: any SQLConnection) throws -> [String] {
        try db.statement(
            """
            SELECT name FROM nodes
            WHERE id <> ? AND state = \(running) AND NOT \(isSilent(for: Node.heartbeatTimeout)) ORDER BY slot
            """
        ).all(id?.description ?? "") { $0.text(0) }
    }

    /// The nodes that have clicks in their spools, or may have because they have not said that they ended.
    /// - Parameter id: the id in the data folder of a node that does not count; `nil` for none.
    static func withClicks(but id: FolderID?, _ db: any SQLConnection) throws -> [ClicksElsewhere.Holder] {
        try db.statement(
            """
            SELECT name, CASE WHEN state = \(stopped) THEN spooled END FROM nodes
            WHERE id <> ? AND (state = \(running) OR spooled > 0) ORDER BY slot
            """
        ).all(id?.description ?? "") { row in
            ClicksElsewhere.Holder(name: row.text(0), clicks: row.optionalInteger(1).map(Int.init))
        }
    }

    /// A running node of a version that does not seal ledgers; `nil` if none may still write. One that was silent for
    /// an hour does not count: if it goes on, its appends fail. One with a sign of life in the future counts: nothing
    /// else tells whether it writes, and the demand for seals is not taken back.
    static func writerWithoutSeals(_ db: any SQLConnection) throws -> NodeName? {
        try db.statement(
            """
            SELECT name FROM nodes
            WHERE NOT seals AND state = \(running) AND beat_at > now() - \(interval(writerTimeout)) ORDER BY slot LIMIT 1
            """
        ).first { row in
            guard let name = NodeName(row.text(0)) else { throw StorageError.unreadable }
            return name
        }
    }

    /// Whether the database has a node of a version that does not seal ledgers, be it an ended one.
    static func hasAnyWithoutSeals(_ db: any SQLConnection) throws -> Bool {
        try db.statement("SELECT 1 FROM nodes WHERE NOT seals LIMIT 1").first { _ in true } ?? false
    }

    static func all(_ db: any SQLConnection) throws -> [Node] {
        try db.statement(
            """
            SELECT slot, name, state, version, abs(extract(epoch FROM now() - beat_at) * 1000)::bigint,
                (SELECT feed_position FROM writer) - position, spooled
            FROM nodes ORDER BY slot
            """
        ).all { row in
            guard let slot = UInt8(exactly: row.integer(0)).flatMap(NodeSlot.init), let name = NodeName(row.text(1)),
                let state = Node.State(rawValue: row.integer(2))
            else { throw StorageError.unreadable }
            return Node(
                slot: slot, name: name, state: state, version: row.text(3),
                lastBeat: .milliseconds(max(0, row.integer(4))), changesBehind: UInt64(max(0, row.integer(5))),
                spooled: Int(row.integer(6)))
        }
    }

    /// The running nodes that have not reported this version of the key ring.
    static func withoutRing(_ version: Int64, _ db: any SQLConnection) throws -> [NodeName] {
        let statement = try db.statement("SELECT name FROM nodes WHERE state = \(running) AND ring < ? ORDER BY slot")
        return try statement.all(version) { row in
            guard let name = NodeName(row.text(0)) else { throw StorageError.unreadable }
            return name
        }
    }

    static func remove(_ name: NodeName, isForced: Bool, _ db: any SQLConnection) throws -> NodeRemoval {
        guard let node = try all(db).first(where: { $0.name == name }) else { return .unknown }
        guard !node.isAlive else { return .alive }
        guard node.state == .stopped || isForced else { return .mayHaveClicks }
        guard node.spooled == 0 || isForced else { return .hasClicks(node.spooled) }
        try db.statement("DELETE FROM nodes WHERE slot = ?").run(Int64(node.slot.rawValue))
        return .removed
    }
}

/// Another process with this identity may be running; it counts as ended after it has been silent for a while.
struct NodeBusy: Error {
    /// The name under which that process runs; `nil` if it cannot be read.
    let name: NodeName?
}

/// Another process has replaced this one, or the node was removed: this process must end.
struct NodeReplaced: Error {}
