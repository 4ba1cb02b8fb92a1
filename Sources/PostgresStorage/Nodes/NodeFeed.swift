import Identifiers
import PostgresClient
import SQL
import SQLStorage
import StoragePorts
import Synchronization

/// The feed of rules as one node follows it, with a connection and a thread of its own.
///
/// A poll reads the changes and writes the node's own row in one transaction. Its result counts once the commit has
/// returned: a server that was replaced, and runs on without knowing it, cannot commit, because its standby does not
/// answer any more. See `docs/decisions/2026-11-23-rule-feed.md`.
final class NodeFeed: RuleSource, @unchecked Sendable {
    // Sendable: the variables are used on the thread only.

    /// The time between two polls if nothing wakes the node.
    static let interval = Duration.milliseconds(200)
    /// A poll that takes longer proves nothing, because its freshness has ended.
    private static let timeout = Duration.seconds(2)
    private static let pause = Duration.milliseconds(50)
    private static let peersInterval = Duration.seconds(5)
    /// Other nodes do not wait for a node that has been silent for longer (``NodeSigns``), so the node's
    /// first poll after that must not make it fresh. This is less than the time for which they wait.
    private static let believedAfter = Duration.seconds(4)

    let slot: NodeSlot
    let freshness: Freshness
    let periods = FreshPeriods()
    /// `nil` for a process that is not a node and has no row to write.
    private let node: NodeIdentity?
    private let instance: [UInt8]
    private let thread = PostgresThread()
    private let clock: @Sendable () -> Timestamp
    let noteTime: @Sendable (ToldTime) -> Void
    /// Less than 0 before the first ``set(spooled:)``.
    private let spooled = Atomic(-1)
    /// What the database was told at the end.
    private let farewell = Mutex(Farewell.none)
    private let ring = Atomic<Int64>(0)
    private let ringVersion = Atomic<Int64>(0)
    private let connect: @Sendable () throws -> PostgresConnection
    private let sealing: SealingKeys
    private let durability: Durability
    private let connections: ConnectionGroup
    private let tenant: DatabaseTenant
    private let known: KnownGeneration
    private var open: PostgresConnection?
    private var lastBeat: ContinuousClock.Instant?
    /// How often the node's row was written when this process last did so. A database with a smaller number was put
    /// back to an earlier state, even if its rules are the same.
    private var beats: Int64 = -1
    /// How many polls since then may have written it, although their commits were not confirmed.
    private var unconfirmed: Int64 = 0
    /// Whether the database was found to be put back, until the rules were read again.
    private var isPutBack = false
    /// The last page with changes. It proves freshness once it is applied, which is when the next page is asked for.
    private var waitingPage: (next: RuleCursor, began: ContinuousClock.Instant)?
    private let isReplaced = Atomic(false)
    private let knownPeers = Mutex<(addresses: [String], asked: ContinuousClock.Instant?)>(([], nil))
    /// The position up to which this node has applied the rules.
    private let reached = Atomic<UInt64>(0)

    private enum Farewell: Equatable {
        case none
        case failed
        case said(spooled: Int?)
    }

    /// - Parameter known: how far the database must have come when the process writes to it.
    init(
        _ registration: NodeRegistration, _ settings: PostgresSettings, of tenant: DatabaseTenant,
        known: KnownGeneration, sealing: SealingKeys, clock: @escaping @Sendable () -> Timestamp,
        noteTime: @escaping @Sendable (ToldTime) -> Void
    ) {
        self.noteTime = noteTime
        slot = registration.slot
        node = registration.node
        instance = registration.instance
        lastBeat = registration.madeAt
        freshness = Freshness()
        self.sealing = sealing
        durability = settings.durability
        connections = settings.connections
        self.tenant = tenant
        self.known = known
        self.clock = clock
        connect = { try PostgresConnection.open(settings, timeout: Self.timeout, isWatched: true) }
    }

    /// Sets the number of clicks in the node's spool, for the next beat.
    func set(spooled: Int) { self.spooled.store(spooled, ordering: .relaxed) }

    private var knownSpooled: Int? {
        let count = spooled.load(ordering: .relaxed)
        return count < 0 ? nil : count
    }

    /// Whether another process has taken this one's place.
    var wasReplaced: Bool { isReplaced.load(ordering: .relaxed) }

    /// The position up to which this node has applied the rules.
    var applied: UInt64 { reached.load(ordering: .acquiring) }

    /// Notes that the node has applied the rules up to `cursor`. After the history was replaced, the position may be
    /// lower.
    func noteApplied(_ cursor: RuleCursor) { reached.store(cursor.position, ordering: .releasing) }

    /// Sets the version of the key ring that the node has, for the next beat.
    func set(ring version: Int64) { ring.store(version, ordering: .relaxed) }

    /// The addresses at which other nodes can be asked.
    var peers: [String] { knownPeers.withLock { $0.addresses } }

    /// The version of the key ring that the database has.
    var knownRing: Int64 { ringVersion.load(ordering: .relaxed) }

    func page(after cursor: RuleCursor) async throws -> RulePage {
        try await run { [self] connection in
            if let page = waitingPage, cursor.position >= page.next.position { confirm(from: page.began) }
            waitingPage = nil
            let began = ContinuousClock.now
            let storage = try StorageConnection.of(connection, sealing)
            let least = known.generation
            try connection.begin()
            var (page, isLast) = try RuleChangeRow.page(after: cursor, at: clock(), storage)
            var (beats, generation) = (beats, Int64(0))
            if let node {
                let (written, isOther) = try beat(node, applied: cursor, in: page, storage)
                beats = written
                generation = try generationAndRing(storage)
                if isOther || isPutBack || generation < least { page = .replaced(isOtherHistory: true) }
                try askForPeers(storage, began)
            }
            // After the changes, so that none of them is later.
            try ServerTime.askLatest(storage, tell: noteTime)
            let isOtherHistory = if case .replaced(isOtherHistory: true) = page { true } else { false }
            // Before the commit, after which the node's own row may be as far as it was before.
            if isOtherHistory { known.hold() }
            unconfirmed += 1
            try connection.commit()
            unconfirmed = 0
            self.beats = beats
            isPutBack = isPutBack || isOtherHistory
            known.note(generation: generation, beats: beats)
            let wasHeard = lastBeat.map { began - $0 < Self.believedAfter } ?? false
            lastBeat = began
            // After the commit, because a server that was replaced cannot commit.
            try ServerTime.ask(connection, tell: noteTime)
            noteApplied(cursor)
            if case .changes(let changes, let next) = page, wasHeard, isLast {
                if changes.isEmpty {
                    confirm(from: began)
                } else {
                    waitingPage = (next, began)
                }
            }
            return page
        }
    }

    /// Writes the node's row. In a database that was put back to a state without this process, enters it again.
    /// - Returns: how often the row was written, and whether the database is another one than before.
    /// - Throws: ``NodeReplaced``
    private func beat(
        _ node: NodeIdentity, applied cursor: RuleCursor, in page: RulePage, _ db: any SQLConnection
    ) throws -> (beats: Int64, isOther: Bool) {
        let written = try NodeRow.beat(
            slot, instance: instance, applied: cursor, spooled: knownSpooled, ring: ring.load(ordering: .relaxed), db)
        if let written {
            // A machine that was cloned while it ran has a process of the same id, which has written it, too.
            guard beats < 0 || written <= beats + 1 + unconfirmed else { throw NodeReplaced() }
            return (written, written <= beats)
        }
        let hasOtherRules = if case .replaced(isOtherHistory: true) = page { true } else { false }
        let hasEarlierRow = try NodeRow.beats(of: node.id, db).map { $0 < beats } ?? false
        guard hasOtherRules || hasEarlierRow else { throw NodeReplaced() }
        if let found = try NodeRow.reenter(node, at: slot, instance: instance, db) { return (found, true) }
        // The other history is told first; the next poll, which follows that one, ends the process.
        guard hasOtherRules else { throw NodeReplaced() }
        return (beats, true)
    }

    /// The generation of the database. Notes the version of the key ring, too.
    private func generationAndRing(_ db: any SQLConnection) throws -> Int64 {
        let found = try db.statement(
            "SELECT generation, (SELECT version FROM vault WHERE name = 'keyring.json') FROM writer"
        ).first { row in (generation: row.integer(0), ring: row.optionalInteger(1)) }
        ringVersion.store(found?.ring ?? 0, ordering: .relaxed)
        return found?.generation ?? 0
    }

    private func askForPeers(_ db: any SQLConnection, _ now: ContinuousClock.Instant) throws {
        guard knownPeers.withLock({ $0.asked.map { now - $0 >= Self.peersInterval } ?? true }) else { return }
        let peers = try NodeRow.peers(but: slot, db)
        knownPeers.withLock { $0 = (peers, now) }
    }

    /// Notes that the node knows every change that had been acknowledged at `instant`.
    private func confirm(from instant: ContinuousClock.Instant) {
        let wasFresh = freshness.isFresh
        freshness.confirm(from: instant)
        let (end, now) = (instant + Freshness.lifetime, clock())
        periods.add(from: now, left: end - ContinuousClock.now, isLonger: wasFresh)
        noteTime(.rulesKnown(until: end))
    }

    func rules() async throws -> StoredRules {
        try await run { [self] connection in
            let storage = try StorageConnection.of(connection, sealing)
            let (rules, generation) = try connection.snapshot {
                let rules = try StoredRules(cursor: RuleChangeRow.head(storage), at: clock(), storage)
                try ServerTime.askLatest(storage, tell: noteTime)
                return (rules, try generationAndRing(storage))
            }
            // The node has looked at the database before it asked for the rules.
            if isPutBack { known.begin(generation: generation, beats: beats) }
            isPutBack = false
            return rules
        }
    }

    /// Waits until something may have changed, or it is time to poll.
    func wait() async {
        try? await run { connection in _ = try connection.waitForNotification(within: Self.interval) }
    }

    /// Tells the database that the node ends, so that other nodes no longer wait for it, and the number of clicks in its
    /// spool. Another call tells it again if the number has changed and the first call did not fail.
    func leave() async {
        let count = knownSpooled
        guard farewell.withLock({ $0 != .failed && $0 != .said(spooled: count) }) else { return }
        do {
            try await run { [self] connection in
                try connection.begin()
                try NodeRow.stop(slot, instance: instance, spooled: count, connection)
                try connection.commit()
            }
            farewell.withLock { $0 = .said(spooled: count) }
        } catch {
            farewell.withLock { $0 = .failed }
        }
    }

    private func run<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await thread.run { [self] in
            let deadline = ContinuousClock.now + Self.timeout
            while true {
                do {
                    return try body(opened())
                } catch {
                    open?.rollBack()
                    if !isPutBack { known.release() }
                    if error is NodeReplaced { isReplaced.store(true, ordering: .relaxed) }
                    guard let failure = error as? PostgresError else { throw error }
                    guard failure.isRetryable, ContinuousClock.now < deadline, !connections.isEnding else {
                        throw failure.storageError
                    }
                    thread.sleep(for: Self.pause)
                }
            }
        }
    }

    private func opened() throws -> PostgresConnection {
        if let open, open.isUsable { return open }
        open?.close()
        open = nil
        let made = try connect()
        do {
            // If the commit of a poll does not wait for a standby, it proves nothing.
            try PostgresCheck.requireDurableCommits(durability, made)
            // The rules of another database say nothing about the node's links.
            try DatabaseOwner.require(tenant, made)
            try made.statement("LISTEN \(SharedRuleLog.channel)").run()
            try made.waitForAnswers()
        } catch {
            made.close()
            throw error
        }
        open = made
        return made
    }

    /// Must be the last call. Blocks the calling thread.
    func close() {
        _ = try? thread.runNow { [self] in
            open?.close()
            open = nil
        }
    }
}
