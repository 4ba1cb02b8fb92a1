/// An addition to a table of the service, or a change of it, with which the server does something else with an
/// acknowledged write than to keep it, and reports no error. No version of the service makes any of these.
package enum TableAlteration: Hashable, Sendable {
    /// A trigger that fires for the service. One that returns NULL drops a row without an error.
    case trigger(String)
    /// A rule, such as `DO INSTEAD NOTHING`.
    case rule(String)
    /// Row level security that applies to the role of the service, or to the owner of the table.
    case rowSecurity
    /// A table that inherits from it, or a partition that the service did not make. Both may be elsewhere, also on
    /// another server.
    case child(String)
    /// A table that it inherits from: what is deleted there is deleted here.
    case parent(String)
    /// A foreign key that deletes or changes its rows together with those of another table.
    case cascade(String)
    /// A crash empties it.
    case unlogged
    /// A partition of this log that is detached: its rows are not found, and no erasure reaches them.
    case detached(from: String)
    /// A partition of this log whose `DETACH … CONCURRENTLY` broke off or still runs: its rows are not found, as if it
    /// were detached.
    case detaching(from: String)
    /// A table that was the partition of this name. It was detached, and renamed or moved to another schema.
    case renamed(String)
    /// An index, constraint, default, generated column, statistics object or column that uses code that is not the
    /// server's own: a function, or an operator, operator class or type with such a function.
    case code(String)
    /// The triggers of foreign keys are disabled, as by a `pg_restore --data-only --disable-triggers` that broke off:
    /// rows are stored, and deleted, without a check of the rows that belong to them.
    case uncheckedKeys
    /// Not a table, although it has the name of one: a view or a foreign table.
    case noTable

    /// - Parameter name: of the trigger, the rule, the other table or the constraint; empty where there is none.
    /// - Returns: `nil` for a code that ``PostgresCheck/alteredFindings(_:)`` does not give.
    init?(code: Int64, name: String) {
        switch code {
        case 1: self = .trigger(name)
        case 2: self = .rule(name)
        case 3: self = .rowSecurity
        case 4: self = .child(name)
        case 5: self = .parent(name)
        case 6: self = .cascade(name)
        case 7: self = .unlogged
        case 8: self = .noTable
        case 10: self = .code(name)
        case 11: self = .uncheckedKeys
        case 9: self = .detached(from: name)
        case 12: self = .detaching(from: name)
        case 13: self = .renamed(name)
        default: return nil
        }
    }

    func description(of table: String) -> String {
        switch self {
        case .trigger(let name): has(table, "the trigger \(name)")
        case .rule(let name): has(table, "the rule \(name)")
        case .rowSecurity: has(table, "row level security that applies to this service")
        case .child(let name): has(table, "the child or partition \(name)")
        case .parent(let name): has(table, "the parent \(name)")
        case .cascade(let name): has(table, "the foreign key \(name) with an action")
        case .unlogged: "the table \(table) is not logged: a crash of the server empties it"
        case .noTable: "\(table) is not a table: what is written to it may not be kept"
        case .code(let name): has(table, "something that uses the \(name)")
        case .uncheckedKeys:
            "the triggers of foreign keys of the table \(table) are disabled: rows that belong together may be stored apart"
        case .detached(let log):
            "the table \(table) was detached from \(log): what it has is not found, and no erasure reaches it"
        case .detaching(let log):
            "the table \(table) is being detached from \(log): what it has is not found, and no erasure reaches it"
        case .renamed(let name):
            """
            the table \(table) was the partition \(name), and was detached: what it has is not found, and no erasure \
            reaches it
            """
        }
    }

    private func has(_ table: String, _ what: String) -> String {
        "the table \(table) has \(what), which this service never makes: it may keep acknowledged writes from being stored"
    }

    func remedy(of table: String) -> String {
        switch self {
        case .detached(let log): Self.attaching(table, to: log)
        case .detaching(let log):
            """
            Find out who does that, end all nodes, and check again afterwards: the detached table is named, with the \
            statement that attaches it. Then: ALTER TABLE \(log) DETACH PARTITION \(table) FINALIZE
            """
        case .renamed(let name): Self.returning(table, from: name)
        case .trigger(let name): Self.undoing("DROP TRIGGER \(name) ON \(table)")
        case .rule(let name): Self.undoing("DROP RULE \(name) ON \(table)")
        case .rowSecurity:
            Self.undoing("ALTER TABLE \(table) DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY")
        case .child(let name):
            Self.undoing(
                "ALTER TABLE \(name) NO INHERIT \(table), or ALTER TABLE \(table) DETACH PARTITION \(name)")
        case .parent(let name):
            Self.undoing(
                "ALTER TABLE \(table) NO INHERIT \(name), or ALTER TABLE \(name) DETACH PARTITION \(table)")
        case .cascade(let name): Self.undoing("ALTER TABLE \(table) DROP CONSTRAINT \(name)")
        case .unlogged: Self.undoing("ALTER TABLE \(table) SET LOGGED")
        case .noTable: Self.undoing("put the table \(table) back in its place")
        case .code(let name):
            Self.undoing("drop the indexes, constraints, defaults and statistics of \(table) that use the \(name)")
        case .uncheckedKeys: Self.undoing("ALTER TABLE \(table) ENABLE TRIGGER ALL, as a superuser")
        }
    }

    private static func undoing(_ statement: String) -> String {
        "Find out who made it, and what is missing since. Then: \(statement)"
    }

    private static func returning(_ table: String, from partition: String) -> String {
        let log = String(partition.prefix { $0 != "_" })
        return """
            If it is a copy of your own, rename its indexes that begin with \(partition)_. If not, end all nodes, and look \
            for people who were erased meanwhile, whom it still names. Then: \
            BEGIN; INSERT INTO \(log) SELECT * FROM \(table); DROP TABLE \(table); COMMIT
            """
    }

    private static func attaching(_ table: String, to log: String) -> String {
        let statement = "ALTER TABLE \(log) ATTACH PARTITION \(table)"
        let first = "Rename it if it is a table of your own. If not, end all nodes"
        guard let ids = MonthlyPartitions.Month(ofPartition: table, of: log)?.ids else {
            return "\(first). Then: \(statement) DEFAULT"
        }
        return """
            \(first), and move what \(log)_rest has with ids from \(ids.lowerBound) to \(ids.upperBound - 1) into \
            \(table). Then: \(statement) FOR VALUES FROM (\(ids.lowerBound)) TO (\(ids.upperBound))
            """
    }
}
