import Cryptography
import PostgresClient
import SQL
import SQLStorage

/// The only connection that writes, on a thread of its own.
///
/// When the connection is lost, the writer connects again and runs the transaction again. Other nodes may have written
/// meanwhile; each transaction finds that out when its turn comes.
///
/// Every transaction has a write token. If the answer to a commit was lost, the token tells whether the commit
/// happened, so that the transaction takes effect once.
final class PostgresWriter: WriterEngine, @unchecked Sendable {
    // Sendable: mutable state is used on the thread only.

    /// How long a transaction is tried before its callers get an error.
    private static let timeout = Duration.seconds(10)
    private static let pause = Duration.milliseconds(50)
    private static let maximumPause = Duration.seconds(1)

    private let thread: PostgresThread
    private let health: StorageHealth
    private let sealer: PersonalDataSealer
    private let connect: @Sendable () throws -> PostgresConnection
    private let claim: WriterClaim
    private let tenant: DatabaseTenant
    private let known: KnownGeneration
    private let bulk: BulkLock
    private let durability: Durability
    private var random = SecureRandom()

    private var open: Open?
    /// Whether a failed transaction is not tried again.
    private let isEnding: @Sendable () -> Bool
    /// The token of the last transaction, if it is not known whether it was committed.
    private var inDoubt: [UInt8]?

    private struct Open {
        let connection: PostgresConnection
        let storage: StorageConnection
    }

    /// - Parameters:
    ///   - tenant: the folder that the database must belong to.
    ///   - known: how far the database must have come.
    ///   - durability: what the commits of a connection must wait for.
    ///   - isEnding: whether a failed transaction is not tried again.
    ///   - connect: makes a connection; blocks the thread.
    init(
        _ thread: PostgresThread, health: StorageHealth, sealer: PersonalDataSealer, tenant: DatabaseTenant,
        known: KnownGeneration, isAlone: Bool, bulk: BulkLock, durability: Durability,
        isEnding: @escaping @Sendable () -> Bool,
        connect: @escaping @Sendable () throws -> PostgresConnection
    ) {
        self.thread = thread
        self.health = health
        self.sealer = sealer
        self.isEnding = isEnding
        self.connect = connect
        self.tenant = tenant
        self.known = known
        claim = WriterClaim(isAlone: isAlone, tenant: tenant)
        self.bulk = bulk
        self.durability = durability
    }

    func schedule(_ work: @escaping @Sendable () -> Void) { thread.schedule(work) }

    func scheduleBulk(_ work: @escaping @Sendable () -> Void) {
        bulk.acquire { [thread] in thread.schedule(work) }
    }

    func willCommitBulk() throws { try open?.connection.waitForAnswers() }

    func endBulk() { bulk.release() }

    func transaction(_ body: (any SQLConnection) throws -> Void) throws {
        let token = WriteToken.make(&random)
        try transaction(token, body) { inDoubt = token }
    }

    /// Runs a transaction without effects in memory: it need not be known later whether it was committed.
    func transactionApart(_ body: (any SQLConnection) throws -> Void) throws {
        try transaction(WriteToken.make(&random), body) {}
    }

    /// - Parameter noteDoubt: is called if the transaction fails and may have been committed.
    private func transaction(
        _ token: [UInt8], _ body: (any SQLConnection) throws -> Void, noteDoubt: () -> Void
    ) throws {
        var mayBeCommitted = false
        let deadline = ContinuousClock.now + Self.timeout
        var pause = Self.pause
        while true {
            do {
                try health.requireWorking()
                let open = try opened()
                if mayBeCommitted, try isCommitted(token, open) { return }
                mayBeCommitted = false
                try run(body, token: token, open, &mayBeCommitted)
                return health.setWorking()
            } catch {
                guard isWorthAnotherTry(error), ContinuousClock.now < deadline, !isEnding()
                else {
                    if mayBeCommitted { noteDoubt() }
                    throw recordFailure(error)
                }
                thread.sleep(for: pause)
                pause = min(pause * 2, Self.maximumPause)
            }
        }
    }

    private func run(
        _ body: (any SQLConnection) throws -> Void, token: [UInt8], _ open: Open, _ mayBeCommitted: inout Bool
    ) throws {
        do {
            let least = try known.least()
            try open.connection.begin()
            try WriteToken.enter(token, of: tenant, since: least, open.storage)
            try body(open.storage)
            mayBeCommitted = true
            try open.connection.commit()
        } catch {
            if open.connection.isUsable {
                // The server has answered that it was not committed.
                mayBeCommitted = false
                open.connection.rollBack()
                try open.storage.requireOwn(tenant, after: error)
                try known.require(open.connection, after: error)
            }
            throw error
        }
    }

    /// Whether the same transaction can succeed when it is tried again.
    private func isWorthAnotherTry(_ error: any Error) -> Bool {
        switch error {
        case let error as PostgresError: error.isRetryable
        case is WriterBusy: true
        default: false
        }
    }

    /// Whether a transaction with this token was committed and is as durable as the settings require. Waits for one
    /// whose commit is still running.
    ///
    /// If a transaction's wait for a standby was interrupted, for example by a restart of the server, the transaction
    /// is visible but may be only on the primary. So this makes a commit of its own: it comes later in the log, and a
    /// wait for it includes everything before it.
    private func isCommitted(_ token: [UInt8], _ open: Open) throws -> Bool {
        do {
            try open.connection.begin()
            let isNew = try open.storage.statement(
                "INSERT INTO write_tokens (token) VALUES (?) ON CONFLICT (token) DO NOTHING"
            ).changes(token)
            guard isNew == 0 else {
                open.connection.rollBack()
                return false
            }
            // A transaction that writes nothing does not wait for a standby.
            try open.storage.statement("UPDATE write_tokens SET token = token WHERE token = ?").run(token)
            try open.connection.commit()
            return true
        } catch {
            open.connection.rollBack()
            throw error
        }
    }

    var isInDoubt: Bool { inDoubt != nil }

    func resolveDoubt() throws -> Bool {
        guard let token = inDoubt else { return false }
        do {
            let isCommitted = try isCommitted(token, opened())
            inDoubt = nil
            return isCommitted
        } catch {
            throw recordFailure(error)
        }
    }

    private func recordFailure(_ error: any Error) -> any Error {
        if (error as? PostgresError)?.isOfConnection == true || error is WriterBusy { health.setUnreachable() }
        if let moved = error as? MigratedDatabase { health.setFailed(moved.description) }
        if let unsafe = error as? UnsafeDatabase { health.setUnusable(because: unsafe.description) }
        if let refusal = DatabaseOwner.refusal(error) { health.setUnusable(because: refusal) }
        return health.recordFailure(translating(error))
    }

    /// The connection; connects again if it was lost.
    private func opened() throws -> Open {
        if let open, open.connection.isUsable { return open }
        open?.connection.close()
        open = nil
        let connection = try connect()
        connection.wait(upTo: PostgresConnection.shortTimeout, forWholeAnswer: true)
        do {
            try PostgresCheck.requireDurableCommits(durability, connection)
            try claim.acquire(connection)
            try PostgresCheck.requireUnaltered(connection)
        } catch {
            connection.close()
            throw error
        }
        let made = Open(connection: connection, storage: StorageConnection(connection, sealer: sealer))
        open = made
        return made
    }

    func savepoint(_ db: any SQLConnection, _ body: () throws -> Void) throws -> (any Error)? {
        try db.statement("SAVEPOINT request").run()
        do {
            try body()
            // Waits here, so that errors of statements that were sent without waiting belong to this request.
            try open?.connection.waitForAnswers()
            try db.statement("RELEASE SAVEPOINT request").run()
            return nil
        } catch {
            guard let open, open.connection.isUsable, !isWorthAnotherTry(error), !endsGroup(error) else { throw error }
            try db.statement("ROLLBACK TO SAVEPOINT request").run()
            try db.statement("RELEASE SAVEPOINT request").run()
            return error
        }
    }

    /// Whether the error affects the other requests of the group, too.
    private func endsGroup(_ error: any Error) -> Bool {
        switch translating(error) as? StorageError {
        case .failed, .full: true
        default: false
        }
    }

    func withConnection<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value {
        try body(opened().storage)
    }

    /// The settings with which a crash may lose acknowledged writes. If the tables were altered, nothing is written until
    /// they are as they were.
    func losses() throws -> [DatabaseFinding] {
        do {
            let connection = try opened().connection
            try connection.requireOwnSession()
            try PostgresCheck.requireUnaltered(connection)
            return try PostgresCheck.losses(durability, connection)
        } catch {
            // If the connection is lost, the next write connects again and reports the result.
            guard error is UnsafeDatabase || DatabaseOwner.refusal(error) != nil else { throw translating(error) }
            // Each write then connects first, and finds out whether it is repaired.
            close()
            throw recordFailure(error)
        }
    }

    func didCommit(generation: Int64) { known.note(generation: generation) }

    func didAnswer() {}

    /// Waits for statements that were sent outside of a transaction.
    func waitForAnswers() throws { try open?.connection.waitForAnswers() }

    func translating(_ error: any Error) -> any Error {
        switch error {
        case let error as PostgresError: error.storageError
        case is WriterBusy: StorageError.busy
        default: error
        }
    }

    /// Closes the connection. Must be called on the thread.
    func close() {
        open?.connection.close()
        open = nil
    }
}
