import Consent
import GRDB
import Identifiers
import Messages
import SQL
import SQLiteFiles
import StoragePorts

/// Reads and writes the tables, inside a transaction.
struct MirrorTables {
    let db: Database

    // MARK: - How far the file is

    struct Reach {
        let cursor: RuleCursor
        let copied: MessageID?
        let isComplete: Bool
        let notedAt: Timestamp
        /// Whether the rules must be written again, because an earlier version wrote less. The rules in the file end at
        /// least as much recording as all rules would.
        let lacksRules: Bool
    }

    /// `nil` if the file never had all rules.
    func reach() throws -> Reach? {
        try db.statement("SELECT position, mark, copied, is_whole, noted_at, lacks_rules FROM state").first { row in
            Reach(
                cursor: RuleCursor(
                    position: UInt64(bitPattern: row.integer(0)), mark: UInt64(bitPattern: row.integer(1))),
                copied: row.optionalInteger(2).flatMap { MessageID(rawValue: UInt64(bitPattern: $0)) },
                isComplete: row.bool(3), notedAt: Timestamp(millisecondsSince1970: row.integer(4)),
                lacksRules: row.bool(5))
        }
    }

    func setCursor(_ cursor: RuleCursor) throws {
        try db.statement(
            """
            INSERT INTO state (one, position, mark, is_whole, noted_at) VALUES (1, ?1, ?2, 0, 0)
            ON CONFLICT (one) DO UPDATE SET position = ?1, mark = ?2
            """
        ).run(Int64(bitPattern: cursor.position), Int64(bitPattern: cursor.mark))
    }

    func setTime(_ time: Timestamp) throws {
        try db.statement("UPDATE state SET noted_at = max(noted_at, ?)").run(time.millisecondsSince1970)
    }

    func setCopied(through id: MessageID?, isComplete: Bool) throws {
        try db.statement("UPDATE state SET copied = ?, is_whole = ?")
            .run(id.map { Int64(bitPattern: $0.rawValue) }, isComplete)
    }

    func peers() throws -> [String] {
        try db.statement("SELECT address FROM peers ORDER BY address").all { $0.text(0) }
    }

    func replacePeers(by addresses: [String]) throws {
        try db.statement("DELETE FROM peers").run()
        for address in addresses { try db.statement("INSERT INTO peers (address) VALUES (?)").run(address) }
    }

    // MARK: - Messages

    func put(_ content: [UInt8], of id: MessageID) throws {
        try db.statement("INSERT OR REPLACE INTO messages (id, content) VALUES (?, ?)")
            .run(Int64(bitPattern: id.rawValue), content)
    }

    func message(_ id: MessageID) throws -> [UInt8]? {
        try db.statement("SELECT content FROM messages WHERE id = ?").first(Int64(bitPattern: id.rawValue)) {
            $0.bytes(0)
        }
    }

    // MARK: - Rules

    func apply(_ change: RuleChange, _ seal: MessageSeal) throws {
        switch change {
        case .consent(let changes, let id):
            guard let organization = try organization(id) else { return }
            let policy = ConsentPolicy(enforcement: organization.enforcement)
            for change in changes {
                for (scope, end) in policy.recordingEnds(for: change.status, of: change.purpose) {
                    try set(end, of: change.reference, in: list(of: organization.number, scope))
                }
            }
        case .erasure(let reference, let id):
            guard let organization = try organization(id) else { return }
            try erase(reference, in: organization.number)
        case .recording(let ends, let enforcement, let id):
            try replaceEnds(by: ends, enforcement, of: id, keepsEnds: false)
        case .privacyControl(let isHonored, let id): try setHonorsGPC(isHonored, of: id)
        case .message(let message): try put(seal.seal(FollowedMessage(message)), of: message.id)
        }
    }

    func replaceRules(by rules: RuleSnapshot, keepsEnds: Bool) throws {
        if !keepsEnds {
            for table in ["organizations", "lists", "ends", "erased"] { try db.statement("DELETE FROM \(table)").run() }
        }
        for rules in rules.organizations {
            try replaceEnds(by: rules.ends, rules.enforcement, of: rules.organization, keepsEnds: keepsEnds)
            try setHonorsGPC(rules.honorsGPC, of: rules.organization)
            guard let number = try organization(rules.organization)?.number else { continue }
            for reference in rules.erased { try erase(reference, in: number) }
        }
        try setCursor(rules.cursor)
        try setCopied(through: nil, isComplete: false)
        try db.statement("UPDATE state SET lacks_rules = 0").run()
    }

    private func setHonorsGPC(_ isHonored: Bool, of id: OrganizationID) throws {
        try db.statement("UPDATE organizations SET honors_gpc = ? WHERE id = ?").run(isHonored, id.description)
    }

    private func replaceEnds(
        by ends: [RecordingScope: [RecordingEnd]], _ enforcement: Enforcement, of id: OrganizationID, keepsEnds: Bool
    ) throws {
        try db.statement(
            """
            INSERT INTO organizations (id, enforcement, honors_gpc) VALUES (?1, ?2, 1)
            ON CONFLICT (id) DO UPDATE SET enforcement = ?2
            """
        ).run(id.description, enforcement.rawValue)
        guard let organization = try organization(id) else { throw StorageError.unreadable }
        if !keepsEnds {
            try db.statement("DELETE FROM ends WHERE list IN (SELECT number FROM lists WHERE organization = ?)")
                .run(organization.number)
        }
        for (scope, ends) in ends {
            let list = try list(of: organization.number, scope)
            let insert = try db.statement(
                """
                INSERT INTO ends (list, reference, ends_at) VALUES (?1, ?2, ?3)
                ON CONFLICT (list, reference) DO UPDATE SET ends_at = min(ends_at, ?3)
                """)
            for end in ends {
                try insert.run(list, Int64(bitPattern: end.reference.rawValue), end.end.millisecondsSince1970)
            }
        }
    }

    private func organization(_ id: OrganizationID) throws -> (number: Int64, enforcement: Enforcement)? {
        try db.statement("SELECT number, enforcement FROM organizations WHERE id = ?").first(id.description) { row in
            guard let enforcement = Enforcement(rawValue: row.text(1)) else { throw StorageError.unreadable }
            return (row.integer(0), enforcement)
        }
    }

    private func list(of organization: Int64, _ scope: RecordingScope) throws -> Int64 {
        let find = try db.statement("SELECT number FROM lists WHERE organization = ? AND purpose = ?")
        if let known = try find.first(organization, scope.name, read: { $0.integer(0) }) { return known }
        try db.statement("INSERT INTO lists (organization, purpose) VALUES (?, ?)")
            .run(organization, scope.name)
        guard let made = try find.first(organization, scope.name, read: { $0.integer(0) }) else {
            throw StorageError.unreadable
        }
        return made
    }

    private func set(_ end: Timestamp?, of reference: RecipientReference, in list: Int64) throws {
        let number = Int64(bitPattern: reference.rawValue)
        guard let end else {
            return try db.statement("DELETE FROM ends WHERE list = ? AND reference = ?").run(list, number)
        }
        try db.statement("INSERT OR REPLACE INTO ends (list, reference, ends_at) VALUES (?, ?, ?)")
            .run(list, number, end.millisecondsSince1970)
    }

    private func erase(_ reference: RecipientReference, in organization: Int64) throws {
        try db.statement("INSERT OR IGNORE INTO erased (organization, reference) VALUES (?, ?)")
            .run(organization, Int64(bitPattern: reference.rawValue))
    }

    // MARK: - All rules

    func rules(at cursor: RuleCursor) throws -> RuleSnapshot {
        let organizations = try db.statement("SELECT number, id, enforcement, honors_gpc FROM organizations").all {
            row in
            guard let id = try? OrganizationID(row.text(1)), let enforcement = Enforcement(rawValue: row.text(2)) else {
                throw StorageError.unreadable
            }
            return (number: row.integer(0), id: id, enforcement: enforcement, honorsGPC: row.bool(3))
        }
        return RuleSnapshot(
            organizations: try organizations.map { organization in
                OrganizationRules(
                    organization: organization.id, enforcement: organization.enforcement,
                    honorsGPC: organization.honorsGPC, ends: try ends(of: organization.number),
                    erased: try references("SELECT reference FROM erased WHERE organization = ?", organization.number))
            }, cursor: cursor)
    }

    private func ends(of organization: Int64) throws -> [RecordingScope: [RecordingEnd]] {
        let lists = try db.statement("SELECT number, purpose FROM lists WHERE organization = ?").all(organization) {
            row in
            guard let scope = RecordingScope(named: row.text(1)) else { throw StorageError.unreadable }
            return (number: row.integer(0), scope: scope)
        }
        var ends: [RecordingScope: [RecordingEnd]] = [:]
        for list in lists {
            ends[list.scope] = try db.statement("SELECT reference, ends_at FROM ends WHERE list = ?")
                .all(list.number) { row in
                    guard let reference = RecipientReference(rawValue: UInt64(bitPattern: row.integer(0))) else {
                        throw StorageError.unreadable
                    }
                    return RecordingEnd(
                        reference: reference, end: Timestamp(millisecondsSince1970: row.integer(1)))
                }
        }
        return ends
    }

    private func references(_ sql: String, _ organization: Int64) throws -> [RecipientReference] {
        try db.statement(sql).all(organization) { row in
            guard let reference = RecipientReference(rawValue: UInt64(bitPattern: row.integer(0))) else {
                throw StorageError.unreadable
            }
            return reference
        }
    }
}

extension RecordingScope {
    /// The name in the file: that of the purpose, or an empty text, which is the name of no purpose.
    fileprivate var name: String {
        switch self {
        case .purpose(let purpose): purpose.description
        case .refusedOpens: ""
        }
    }

    fileprivate init?(named name: String) {
        guard !name.isEmpty else {
            self = .refusedOpens
            return
        }
        guard let purpose = try? Purpose(name) else { return nil }
        self = .purpose(purpose)
    }
}
