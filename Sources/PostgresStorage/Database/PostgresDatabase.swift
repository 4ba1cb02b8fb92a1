import Cryptography
import Identifiers
import PostgresClient
import SQL
import SQLStorage
import StoragePorts
import Synchronization

/// The database that all stores share, on a PostgreSQL server.
final class PostgresDatabase: SQLDatabase {
    private static let readers = 4
    /// How long a starting service waits for another connection that has the database, such as a lost one of its own.
    private static let timeout = Duration.seconds(15)
    private static let pause = Duration.milliseconds(200)

    let slot: NodeSlot
    private let tenant: DatabaseTenant
    let commits: GroupCommit
    private let health: StorageHealth
    private let thread: PostgresThread
    private let writer: PostgresWriter
    private let bulk: BulkLock
    private let pool: PostgresPool
    private let deadRows: DeadRows
    private let waiting = WaitingCommits()
    private let sealing: SealingKeys
    private let durability: Durability
    private let connections: ConnectionGroup
    private let answering = Mutex<(@Sendable (RuleCursor) async -> Void)?>(nil)

    /// Connects. Blocks the thread.
    /// - Parameters:
    ///   - tenant: the folder that the database must belong to, on each connection.
    ///   - known: how far it must have come when it is written to.
    ///   - slot: the slot of this node.
    ///   - rules: enters the changes that other nodes read.
    ///   - isReadOnly: whether it claims the database for itself and refuses every write.
    /// - Throws: a `StoreFailure`.
    init(
        _ settings: PostgresSettings, of tenant: DatabaseTenant, known: KnownGeneration, sealing: SealingKeys,
        ledgers: sending LedgerWriting, slot: NodeSlot, rules: sending any RuleChangeLog, isReadOnly: Bool,
        clock: @escaping @Sendable () -> Timestamp
    ) throws {
        self.slot = slot
        self.tenant = tenant
        self.sealing = sealing
        durability = settings.durability
        connections = settings.connections
        health = StorageHealth()
        thread = PostgresThread()
        pool = PostgresPool(settings, connections: Self.readers)
        deadRows = DeadRows(pool)
        let bulk = BulkLock(settings)
        self.bulk = bulk
        let writer = PostgresWriter(
            thread, health: health, sealer: try sealing.sealer(), tenant: tenant, known: known,
            isAlone: isReadOnly, bulk: bulk, durability: settings.durability,
            isEnding: { settings.connections.isEnding }
        ) {
            try PostgresConnection.open(settings, timeout: PostgresConnection.shortTimeout, isWatched: true)
        }
        self.writer = writer
        let (box, rules) = (UncheckedBox(ledgers), UncheckedBox(rules))
        do {
            commits = try thread.runNow { [thread] in
                try Self.waiting(thread) {
                    try GroupCommit(
                        writer, slot: slot, participant: box.value, rules: rules.value, isReadOnly: isReadOnly,
                        clock: clock)
                }
            }
        } catch {
            throw writer.translating(error)
        }
    }

    private static func waiting<Value>(_ thread: PostgresThread, _ body: () throws -> Value) throws -> Value {
        let deadline = ContinuousClock.now + timeout
        while true {
            do {
                return try body()
            } catch is WriterBusy where ContinuousClock.now < deadline {
                thread.sleep(for: pause)
            }
        }
    }

    var hasSeveralWriters: Bool { true }

    var status: StorageStatus { commits.isReadOnly ? .readOnly : health.status }

    func read<Value: Sendable>(
        _ length: ReadingLength, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await noting {
            try await pool.run(length) { [sealing, tenant] connection in
                let storage = try StorageConnection.of(connection, sealing)
                try storage.requireOwn(tenant)
                return try connection.snapshot { try body(storage) }
            }
        }
    }

    /// Takes the snapshot in a transaction that writes something and must be committed. A server that was replaced
    /// cannot commit, because its standby does not answer it any more. An earlier state to which the database was put
    /// back is read, too: a node compares its ledgers with that before it writes.
    func readCurrent<Value: Sendable>(
        _ length: ReadingLength, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await noting {
            try await pool.run(length) { [sealing, tenant, durability, waiting] connection in
                let storage = try StorageConnection.of(connection, sealing)
                try storage.requireOwn(tenant)
                try storage.requireDurableCommits(durability)
                try waiting.requireNone(storage)
                var random = SecureRandom()
                try connection.begin(.current)
                do {
                    let value = try body(storage)
                    try WriteToken.enter(WriteToken.make(&random), of: tenant, since: .any, storage)
                    try waiting.commit(connection)
                    return value
                } catch {
                    connection.rollBack()
                    try storage.requireOwn(tenant, after: error)
                    throw error
                }
            }
        }
    }

    private func noting<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            let value = try await body()
            health.recordAnswer()
            return value
        } catch {
            if (error as? PostgresError)?.isOfConnection == true { health.setUnreachable() }
            if let refusal = DatabaseOwner.refusal(error) { health.setUnusable(because: refusal) }
            throw health.recordFailure(writer.translating(error))
        }
    }

    /// Runs `body` in a transaction, while the service starts. Blocks the thread.
    func writeNow<Value: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> Value) throws -> Value {
        try thread.runNow { [self] in try transactNow(body) }
    }

    /// Writes the row of the writer, to find out whether writing works.
    func probe() async throws {
        try await transaction { db in try db.statement("UPDATE writer SET generation = generation").run() }
    }

    /// Runs `body` in a transaction of its own, for writes that belong to no store.
    func transaction<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await thread.run { [self] in try transactNow(body) }
    }

    /// Must be called on the writer's thread.
    private func transactNow<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value {
        var value: Value?
        try writer.transactionApart { db in
            try db.takeTurn()
            value = try body(db)
        }
        guard let value else { throw StorageError.unreadable }
        return value
    }

    /// The settings of the primary with which a crash may lose acknowledged writes.
    func losses() async throws -> [DatabaseFinding] { try await thread.run { [writer] in try writer.losses() } }

    func everyNode(hasRead cursor: RuleCursor) async { await answering.withLock { $0 }?(cursor) }

    /// From now on, a change is acknowledged when `wait` returns.
    func answer(after wait: @escaping @Sendable (RuleCursor) async -> Void) { answering.withLock { $0 = wait } }

    /// Updates the statistics of the query planner.
    func analyze() async throws {
        try await thread.run { [writer] in
            try writer.withConnection { db in
                try db.statement("ANALYZE").run()
                try writer.waitForAnswers()
            }
        }
    }

    /// The rows no longer have the data on return. Their old versions, in which personal data is sealed, are removed
    /// when VACUUM has processed the tables: ``DeadRows``.
    func eraseResiduals() async throws { await deadRows.vacuum() }

    /// Lasts until a restart.
    func refuseWrites(because reason: String) { health.setFailed(reason) }

    /// From now on no connection is waited for that does not answer, and nothing that fails is tried again.
    func endSoon() { connections.endSoon() }

    var isEnding: Bool { connections.isEnding }

    /// Ends all connections. Blocks the thread.
    func close() {
        bulk.close()
        _ = try? thread.runNow { [writer] in writer.close() }
        pool.close()
    }
}

/// Carries a value that belongs to the writer's thread to its owner.
private struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
