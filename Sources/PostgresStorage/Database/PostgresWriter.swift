import Cryptography
import PostgresClient
import SQL
import SQLStorage
import Synchronization

/// The one connection that writes, on a thread of its own.
///
/// When the connection is lost, the writer connects again and runs the transaction again. Other nodes may have written
/// meanwhile; each transaction learns that when its turn comes.
///
/// Every transaction carries a write token. Where the answer to a commit was lost, the token says whether it had
/// happened, so that it has its effect once.
final class PostgresWriter: WriterEngine, @unchecked Sendable {
    // Sendable: what changes is touched on the thread alone.

    /// How long a transaction is tried before its callers get an error.
    private static let patience = Duration.seconds(10)
    private static let pause = Duration.milliseconds(50)
    private static let longestPause = Duration.seconds(1)
    static let tokenLength = 16

    private let thread: PostgresThread
    private let health: StorageHealth
    private let sealer: PersonalDataSealer
    private let connect: @Sendable () throws -> PostgresConnection
    private let claim: WriterClaim
    private let bulk: BulkTurn
    private let durability: Durability
    private var random = SecureRandom()

    private var open: Open? {
        didSet { current.withLock { $0 = open?.connection } }
    }
    /// The connection, for ``interrupt()`` from another thread.
    private let current = Mutex<PostgresConnection?>(nil)
    /// Whether a transaction that fails is not tried again.
    private let isEnding = Atomic(false)
    /// The token of the last transaction, where it is not known whether it was committed.
    private var inDoubt: [UInt8]?

    private struct Open {
        let connection: PostgresConnection
        let storage: StorageConnection
    }

    /// - Parameters:
    ///   - durability: what a connection must wait for that is written to.
    ///   - connect: makes a connection; blocks.
    init(
        _ thread: PostgresThread, health: StorageHealth, sealer: PersonalDataSealer, claim: WriterClaim, bulk: BulkTurn,
        durability: Durability, connect: @escaping @Sendable () throws -> PostgresConnection
    ) {
        self.thread = thread
        self.health = health
        self.sealer = sealer
        self.connect = connect
        self.claim = claim
        self.bulk = bulk
        self.durability = durability
    }

    func schedule(_ work: @escaping @Sendable () -> Void) { thread.schedule(work) }

    func scheduleBulk(_ work: @escaping @Sendable () -> Void) {
        bulk.take { [thread] in thread.schedule(work) }
    }

    func willCommitBulk() throws { try open?.connection.waitForAnswers() }

    func endBulk() { bulk.giveBack() }

    func transaction(_ body: (any SQLConnection) throws -> Void) throws {
        let token = random.bytes(Self.tokenLength)
        try transaction(token, body) { inDoubt = token }
    }

    /// The same for what leaves nothing in memory: nobody asks whether it was committed after all.
    func transactionApart(_ body: (any SQLConnection) throws -> Void) throws {
        try transaction(random.bytes(Self.tokenLength), body) {}
    }

    /// - Parameter noteDoubt: is called when it fails and may have been committed.
    private func transaction(
        _ token: [UInt8], _ body: (any SQLConnection) throws -> Void, noteDoubt: () -> Void
    ) throws {
        var mayBeCommitted = false
        let deadline = ContinuousClock.now + Self.patience
        var pause = Self.pause
        while true {
            do {
                try health.requireWorking()
                let open = try opened()
                if mayBeCommitted, try isCommitted(token, open) { return }
                mayBeCommitted = false
                try run(body, token: token, open, &mayBeCommitted)
                return health.noteCommit()
            } catch {
                guard isWorthAnotherTry(error), ContinuousClock.now < deadline, !isEnding.load(ordering: .relaxed)
                else {
                    if mayBeCommitted { noteDoubt() }
                    throw note(error)
                }
                thread.sleep(for: pause)
                pause = min(pause * 2, Self.longestPause)
            }
        }
    }

    private func run(
        _ body: (any SQLConnection) throws -> Void, token: [UInt8], _ open: Open, _ mayBeCommitted: inout Bool
    ) throws {
        do {
            try open.connection.begin()
            try open.storage.statement("INSERT INTO write_tokens (token) VALUES (?)").run(token)
            try body(open.storage)
            mayBeCommitted = true
            try open.connection.commit()
        } catch {
            if open.connection.isUsable {
                // The server has answered: it was not committed.
                mayBeCommitted = false
                open.connection.rollBack()
            }
            throw error
        }
    }

    /// Whether another try of the same transaction can succeed where this one failed.
    private func isWorthAnotherTry(_ error: any Error) -> Bool {
        switch error {
        case let error as PostgresError: error.isRetryable
        case is WriterBusy: true
        default: false
        }
    }

    /// Whether a transaction of this token was committed, and is as durable as the settings ask. Waits for one that is
    /// being committed still.
    ///
    /// A transaction whose wait for a standby was broken off, as by a restart of the server, is visible and may be on the
    /// primary alone. So the answer is a commit of its own: it comes later in the log, and what waits for it waits for
    /// everything before it.
    private func isCommitted(_ token: [UInt8], _ open: Open) throws -> Bool {
        do {
            try open.connection.begin()
            let isNew = try open.storage.statement("INSERT INTO write_tokens (token) VALUES (?) ON CONFLICT DO NOTHING")
                .changes(token)
            guard isNew == 0 else {
                open.connection.rollBack()
                return false
            }
            // A transaction that writes nothing waits for nobody.
            try open.storage.statement("UPDATE write_tokens SET token = token WHERE token = ?").run(token)
            try open.connection.commit()
            return true
        } catch {
            open.connection.rollBack()
            throw error
        }
    }

    var isInDoubt: Bool { inDoubt != nil }

    func settle() throws -> Bool {
        guard let token = inDoubt else { return false }
        do {
            let isCommitted = try isCommitted(token, opened())
            inDoubt = nil
            return isCommitted
        } catch {
            throw note(error)
        }
    }

    private func note(_ error: any Error) -> any Error {
        if (error as? PostgresError)?.isOfConnection == true || error is WriterBusy { health.noteUnreachable() }
        if let moved = error as? MovedDatabase { health.noteLoss(moved.description) }
        if let unsafe = error as? UnsafeDatabase { health.noteUnusable(because: unsafe.description) }
        return health.note(translating(error))
    }

    /// The connection, made anew when it was lost.
    private func opened() throws -> Open {
        if let open, open.connection.isUsable { return open }
        open?.connection.close()
        open = nil
        let connection = try connect()
        do {
            try PostgresCheck.requireDurableCommits(durability, connection)
            try claim.take(connection)
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
            // Errors of statements that were sent without waiting belong to this request.
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

    /// Whether the others of a group cannot be relied on after it, either.
    private func endsGroup(_ error: any Error) -> Bool {
        switch translating(error) as? StorageError {
        case .failed, .full: true
        default: false
        }
    }

    func withConnection<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value {
        try body(opened().storage)
    }

    /// By which settings a crash may lose what is written.
    func losses() throws -> [DatabaseFinding] {
        do {
            return try PostgresCheck.losses(durability, opened().storage)
        } catch {
            // A connection that was lost is made anew by the next who writes, and that one says what came of it.
            throw error is UnsafeDatabase ? note(error) : translating(error)
        }
    }

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

    /// From now on nothing is tried again. May be called from anywhere.
    func endSoon() { isEnding.store(true, ordering: .relaxed) }

    /// What waits for an answer fails at once. May be called from anywhere.
    func interrupt() { current.withLock { $0 }?.interrupt() }

    /// On the thread, as the last.
    func close() {
        open?.connection.close()
        open = nil
    }
}
