import PostgresClient
import SQL
import SQLStorage
import StoragePorts
import Synchronization

/// Begins to demand the seals of ledgers (`LedgerSeals`), once no node of a version without seals writes any more.
///
/// One transaction, in its turn, seals each ledger that has no seal, and makes the column NOT NULL. From then on each
/// append of a node without seals fails, also that of one which was halted before and goes on: it closes no ledger.
/// Each node finds the column so, and demands seals as long as it runs, whatever becomes of the column. Its folder
/// keeps the number of the database for its next process. If that one finds the column nullable, it makes it NOT NULL
/// again.
final class SealDemand: Sendable {
    private static let interval = Duration.seconds(10)
    /// A ledger takes two round trips to the server at the first time; other writers wait meanwhile.
    private static let atOnce = 100
    /// Those that are sealed take one round trip together.
    private static let sealedAtOnce = 1_000
    private static let turnTimeout = "2s"
    /// The change of the column waits for transactions that read the table, such as a dump, and others wait behind it.
    private static let tableTimeout = "200ms"

    private let seals: LedgerSeals
    private let settings: PostgresSettings
    private let tenant: DatabaseTenant
    private let keys: SealingKeys
    private let note: @Sendable () -> Void
    private let tell: @Sendable (SealDemandEvent) -> Void
    /// Held while a step runs, so that ``close()`` waits for its end.
    private let steps: Mutex<Steps>
    private let delay = Mutex(SealDelay())
    private let attempts = Mutex<Task<Void, Never>?>(nil)

    private struct Steps {
        var isClosed = false
        /// Is kept for the next attempt.
        var present: PresentSeals
        /// Whether a node of a version without seals was found.
        var isUpgrade = false
    }

    private enum Filling {
        /// For this node of a version without seals.
        case mustWait(for: NodeName)
        /// Another process has filled the column.
        case foundFilled
        case filled
    }

    /// - Parameters:
    ///   - tell: is called with what the log should have.
    ///   - note: is called once the demand has begun.
    init(
        _ seals: LedgerSeals, _ settings: PostgresSettings, of tenant: DatabaseTenant, _ keys: SealingKeys,
        tell: @escaping @Sendable (SealDemandEvent) -> Void, note: @escaping @Sendable () -> Void
    ) {
        self.seals = seals
        steps = Mutex(Steps(present: PresentSeals(seals)))
        self.settings = settings
        self.tenant = tenant
        self.keys = keys
        self.tell = tell
        self.note = note
    }

    /// Whether every node of a database must seal.
    static func isBegun(_ db: any SQLConnection) throws -> Bool {
        try db.statement(
            "SELECT attnotnull FROM pg_attribute WHERE attrelid = 'ledger_edges'::regclass AND attname = 'seal'"
        ).first { $0.bool(0) } ?? false
    }

    /// Makes the columns as they are in a new database, for rows that are copied without seals.
    static func reset(_ db: any SQLConnection) throws {
        try db.statement("DELETE FROM ledger_edges").run()
        try db.statement("ALTER TABLE ledger_edges ALTER seal DROP NOT NULL").run()
    }

    /// Demands seals from now on.
    func begin() {
        seals.demandAll()
        note()
    }

    /// Begins the demand, and makes the column NOT NULL, once that is possible, in the background.
    func beginInTime() {
        let task = Task { [self] in
            // If it is not possible now, it may be at the next attempt.
            while (try? await PostgresThread().run { [self] in attempt() }) != true {
                guard (try? await Task.sleep(for: Self.interval)) != nil else { return }
            }
        }
        attempts.withLock { $0 = task }
    }

    /// Does a step, and tells what keeps the column nullable if that lasts. Blocks the thread.
    /// - Parameter instant: when the step ends; `nil` for the present.
    /// - Returns: whether nothing is left to do.
    @discardableResult
    func attempt(at instant: ContinuousClock.Instant? = nil) -> Bool {
        let obstacle: SealObstacle?
        do {
            obstacle = try step().map(SealObstacle.olderNode)
        } catch {
            obstacle = .failure("\(error)")
        }
        guard let obstacle else { return true }
        if delay.withLock({ $0.note(obstacle, at: instant ?? .now) }) { tell(.delayed(by: obstacle)) }
        return false
    }

    /// Begins the demand, and makes the column NOT NULL, if that is possible now. Uses a connection of its own, and
    /// blocks the thread.
    /// - Returns: a node of a version without seals that is waited for; `nil` if the column is NOT NULL, or is left as
    ///   it is because this is closed.
    /// - Throws: `StorageError.busy` if the table is being read or another process has the turn;
    ///   also what ``DatabaseOwner/require(_:_:)`` throws.
    @discardableResult
    func step() throws -> NodeName? {
        try steps.withLock { steps in
            guard !steps.isClosed else { return nil }
            do {
                let connection = try PostgresConnection.open(settings, timeout: PostgresConnection.shortTimeout)
                defer { connection.close() }
                try DatabaseOwner.require(tenant, connection)
                if try Self.isBegun(connection) {
                    if !seals.areDemanded { begin() }
                    return nil
                }
                if seals.areDemanded {
                    if try demandAgain(connection) { tell(.begunAgain) }
                    return nil
                }
                if try NodeRow.hasAnyWithoutSeals(connection) { steps.isUpgrade = true }
                let filling = try fill(connection, &steps.present)
                if case .mustWait(let older) = filling { return older }
                begin()
                // A new database demands seals from its first start.
                let isNews = steps.isUpgrade || steps.present.hasSealed || delay.withLock { $0.isTold }
                if case .filled = filling, isNews { tell(.begun) }
                return nil
            } catch let error as PostgresError {
                throw error.storageError
            }
        }
    }

    /// From then on it uses no connection. Blocks the thread.
    func close() {
        attempts.withLock { $0?.cancel() }
        steps.withLock { $0.isClosed = true }
    }

    /// Fills the column, and makes it NOT NULL. As durable on return as an append.
    private func fill(_ connection: PostgresConnection, _ present: inout PresentSeals) throws -> Filling {
        if let older = try NodeRow.writerWithoutSeals(connection) { return .mustWait(for: older) }
        try PostgresCheck.requireDurableCommits(settings.durability, connection)
        let db = StorageConnection(connection, sealer: try keys.sealer())
        // First some at once, so that the last transaction has little to do.
        var last: Int64? = .min
        while let after = last {
            last = try connection.takingTurn(waitingAtMost: Self.turnTimeout) {
                try present.seal(after: after, count: Self.atOnce, db)
            }
        }
        return try connection.takingTurn(waitingAtMost: Self.turnTimeout) {
            // A node of an earlier version may have come back, and appended.
            if let older = try NodeRow.writerWithoutSeals(db) { return .mustWait(for: older) }
            guard try !Self.isBegun(db) else { return .foundFilled }
            var last: Int64? = .min
            while let after = last { last = try present.seal(after: after, count: Self.sealedAtOnce, db) }
            // A row of no organization is of no ledger.
            try Self.makeNotNull(db)
            return .filled
        }
    }

    /// Makes the column NOT NULL in a database that was put back, or changed with SQL, since seals are demanded in it.
    /// As durable on return as an append.
    ///
    /// Seals no ledger: with a seal, entries that were written without a node would count. Waits for no node of a
    /// version without seals: its appends would close ledgers, and fail from then on.
    /// - Returns: whether the column was nullable until now.
    private func demandAgain(_ connection: PostgresConnection) throws -> Bool {
        try PostgresCheck.requireDurableCommits(settings.durability, connection)
        return try connection.takingTurn(waitingAtMost: Self.turnTimeout) {
            guard try !Self.isBegun(connection) else { return false }
            try Self.makeNotNull(connection)
            return true
        }
    }

    /// Removes the edges without a seal, inside a write. A ledger without its edge has no seal either.
    private static func makeNotNull(_ db: any SQLConnection) throws {
        try db.statement("SET LOCAL lock_timeout = '\(tableTimeout)'").run()
        try db.statement("DELETE FROM ledger_edges WHERE seal IS NULL").run()
        try db.statement("ALTER TABLE ledger_edges ALTER seal SET NOT NULL").run()
    }
}
