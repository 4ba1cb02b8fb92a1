import Identifiers
import Ledger
import SQL

/// Copies the whole content of one storage into another one of a different engine.
///
/// No process may write to either of them meanwhile. Each part of a table is durable once it is copied: an interrupted
/// copy continues from there when it is run again.
package struct StorageCopy: Sendable {
    /// The progress of the copy of a table.
    package struct Progress: Hashable, Sendable {
        package let table: String
        /// Includes the rows that an earlier run has copied.
        package let rows: Int
        package let total: Int
    }

    private let source: any SQLReading
    private let target: any OpenStorage
    private let tables: [CopiedTable]

    /// - Parameters:
    ///   - source: one of the two storages must be the embedded one.
    ///   - target: must have the tables, and in them only rows that an earlier run has copied.
    package init(from source: any SQLReading, to target: any OpenStorage) async throws {
        self.source = source
        self.target = target
        let read: @Sendable (any SQLConnection) throws -> [CopiedTable]? = { db in
            guard db.dialect.engine == .sqlite else { return nil }
            return try CopiedTable.names.map { try CopiedTable($0, catalog: db) }
        }
        let known = try await source.read(read)
        if let known {
            tables = known
        } else if let known = try await target.stores.database.read(read) {
            tables = known
        } else {
            throw StorageError.unreadable
        }
    }

    /// - Parameter note: is called after every part.
    /// - Throws: a `StoreFailure`; the copied rows stay.
    package func run(_ note: @Sendable (Progress) -> Void) async throws {
        if let (first, last) = try await times() { try await target.makeRoom(from: first, through: last) }
        for table in tables {
            try await copy(table, note)
            try await continueNumbers(of: table)
        }
        try await target.didFill()
    }

    private func copy(_ table: CopiedTable, _ note: @Sendable (Progress) -> Void) async throws {
        let total = try await source.read { db in try Self.count(table, db) }
        if table.key.isEmpty || table.name == "ledger_beginnings" { return try await replace(table, total, note) }
        let (there, last) = try await target.stores.database.read { db in
            (try Self.count(table, db), try CopiedRows.lastKey(of: table, db))
        }
        var rows = there
        note(Progress(table: table.name, rows: rows, total: total))
        var part = try await read(table, after: last)
        while part.count > 0 {
            try Task.checkCancellation()
            let key = part.lastKey(table)
            // The next part is read while this one is written.
            async let next = read(table, after: key)
            try await write(part, to: table)
            rows += part.count
            note(Progress(table: table.name, rows: rows, total: total))
            part = try await next
        }
    }

    /// Copies a table of a few rows. A new storage may have some already, so those of the target are replaced.
    private func replace(_ table: CopiedTable, _ total: Int, _ note: @Sendable (Progress) -> Void) async throws {
        let rows = try await read(table, after: nil)
        try await target.stores.database.write(isAlone: true) { writing in
            try writing.db.statement("DELETE FROM \(table.name)").run()
            try rows.insert(into: table, writing.db) { 1 }
        }
        note(Progress(table: table.name, rows: rows.count, total: total))
    }

    private func read(_ table: CopiedTable, after last: [CopiedValue]?) async throws -> CopiedRows {
        try await source.read { db in try CopiedRows(of: table, after: last, db) }
    }

    private func write(_ rows: CopiedRows, to table: CopiedTable) async throws {
        try await target.stores.database.write(isAlone: true) { writing in
            let log = LogVolumes.Log(rawValue: table.name)
            var volumes = try log.map { try LogVolumes(of: $0, writing.db) }
            try rows.insert(into: table, writing.db) { volumes?.next() ?? 1 }
        }
    }

    private func continueNumbers(of table: CopiedTable) async throws {
        guard table.isNumbered else { return }
        try await target.stores.database.write(isAlone: true) { writing in
            guard let statement = writing.db.dialect.continueNumbers(of: table.name) else { return }
            _ = try writing.db.statement(statement).first { $0.integer(0) }
        }
    }

    /// The times of the oldest and of the newest row of the logs.
    private func times() async throws -> (Timestamp, Timestamp)? {
        try await source.read { db in
            let times = try LogVolumes.Log.allCases.flatMap { log in
                try ["min", "max"].compactMap { bound -> Timestamp? in
                    let id = try db.statement("SELECT \(bound)(id) FROM \(log.rawValue)")
                        .first { $0.optionalInteger(0) }
                    return (id ?? nil).flatMap { TimeOrderedNumber(rawValue: UInt64(bitPattern: $0))?.timestamp }
                }
            }
            return times.min().flatMap { first in times.max().map { (first, $0) } }
        }
    }

    static func count(_ table: CopiedTable, _ db: any SQLConnection) throws -> Int {
        try db.statement("SELECT count(*) FROM \(table.name)").first { Int($0.integer(0)) } ?? 0
    }
}

extension StorageCopy {
    private static let entriesAtOnce = 16_384

    /// Compares the two storages: the number of rows of each table, and for each ledger its last checkpoint and its
    /// tree, both as it is stored and as it follows from the rows of the target, whose entries are all hashed again.
    ///
    /// The target must have been closed and opened again after the copy.
    /// - Parameter note: is called with the share of the entries that was hashed, from 0 to 1.
    package func compare(_ note: @Sendable (Double) -> Void) async throws -> StorageComparison {
        let tables = tables
        let count: @Sendable (any SQLConnection) throws -> [Int] = { db in try tables.map { try Self.count($0, db) } }
        async let countsThere = target.stores.database.read(count)
        let counts = try await source.read(count)
        let there = try await countsThere
        let ledgers = try await source.read(ComparedLedger.all)
        let stored = try await target.stores.database.read(ComparedLedger.all)
        return StorageComparison(
            rows: counts.reduce(0, +),
            otherTables: zip(tables, zip(counts, there)).filter { $1.0 != $1.1 }.map { table, counts in
                StorageComparison.Difference(name: table.name, before: "\(counts.0) rows", after: "\(counts.1) rows")
            },
            ledgers: ledgers,
            otherLedgers: ComparedLedger.differences(ledgers, stored)
                + ComparedLedger.differences(ledgers, try await hashed(stored, note)))
    }

    /// The ledgers with the trees that follow from their rows.
    private func hashed(
        _ ledgers: [ComparedLedger], _ note: @Sendable (Double) -> Void
    ) async throws -> [ComparedLedger] {
        let total = ledgers.reduce(0) { $0 + $1.head.size }
        var done: UInt64 = 0
        var hashed: [ComparedLedger] = []
        for ledger in ledgers {
            var tree = TreeFrontier()
            while tree.size < ledger.head.size {
                try Task.checkCancellation()
                let before = tree
                tree = try await target.stores.database.read { db in
                    try Self.hash(ledger.number, onto: before, db)
                }
                guard tree.size > before.size else { break }
                done += tree.size - before.size
                note(Double(done) / Double(total))
            }
            var hasher = TreeHasher()
            hashed.append(ledger.with(tree.head(&hasher)))
        }
        return hashed
    }

    private static func hash(
        _ organization: Int64, onto tree: TreeFrontier, _ db: any SQLConnection
    ) throws -> TreeFrontier {
        var tree = tree
        var hasher = TreeHasher()
        try LedgerRows(organization, db).forEach(
            from: tree.size, count: entriesAtOnce, unreadable: { row, _ in throw RowError.unreadable(row) }
        ) { _, rendered in _ = tree.append(rendered.leaf(), &hasher) }
        return tree
    }
}
