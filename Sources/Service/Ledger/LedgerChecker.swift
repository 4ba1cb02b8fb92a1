import Counting
import Identifiers
import Ledger
import Logging
import SQL
import ServiceLifecycle
import StoragePorts
import Synchronization
import UseCases

/// Compares the sources of decisions with the ledgers, again and again: all of them at the start if they are few, as
/// soon as links are open, and the rest in the background.
final class LedgerChecker: Service {
    /// How much it checks, and how often.
    struct Bounds {
        /// A start checks no more entries than this, and no more rows of a table. Readers do not wait for them. They take
        /// about two seconds on the embedded store; on a server, a tenth of them takes as long.
        var entriesAtStart: UInt64 = 100_000
        /// The time between two passes.
        var interval = Duration.hours(6)
        /// How often the position is stored, which costs a commit.
        var keepInterval = Duration.seconds(30)
        /// After this time a start is tried again that a failure of the store interrupted.
        var retryInterval = Duration.seconds(5)
        /// After this time a pass continues that a failure of the store interrupted.
        var passRetryInterval = Duration.seconds(60)
    }

    /// A step is followed by a rest of this many times its length, so that a pass takes a twentieth of a core.
    private static let restPerWork = 19
    private static let maximumRest = Duration.seconds(1)

    /// Opens when the start has been checked: from then on the service judges and enters.
    let checked = Latch()
    /// Opens with ``checked``, or when the store has failed: then it takes no write until a restart, and clients are
    /// told so.
    let answerable = Latch()

    private let ledgers: any LedgerChecking
    private let bounds: Bounds
    private let begin: @Sendable (LedgerChecker) async throws -> Void
    private let now: @Sendable () -> Timestamp
    /// Whether the service ends. It may then close a connection that a step uses.
    private let isEnding: @Sendable () -> Bool
    private let logger: Logger
    private let state = Mutex(State())

    private struct State {
        /// Why the start could not be checked yet.
        var failure: String?
        var entries: UInt64 = 0
        var findings: UInt64 = 0
        var passes: UInt64 = 0
        /// When the last whole pass ended, in seconds since 1970; 0 before the first.
        var lastPass: Int64 = 0
        /// The completed part of the current pass, from 0 to 1.
        var progress = 0.0
        /// Where the current pass continues; `nil` between two passes.
        var position: LedgerCheckPosition?
        /// Whether that pass began at the start. One that continues from the last process's position does not count:
        /// the position is in the database, which is what is checked.
        var isWhole = false
        /// The first step that found something. A ledger is closed only in memory: the next process begins here, and
        /// finds it again.
        var found: LedgerCheckPosition?
    }

    /// - Parameter begin: ``run()`` calls it first; it must call ``checkAtStart()``.
    init(
        ledgers: any LedgerChecking, bounds: Bounds = Bounds(), now: @escaping @Sendable () -> Timestamp,
        isEnding: @escaping @Sendable () -> Bool = { false }, logger: Logger,
        begin: @escaping @Sendable (LedgerChecker) async throws -> Void
    ) {
        self.ledgers = ledgers
        self.bounds = bounds
        self.now = now
        self.isEnding = isEnding
        self.logger = logger
        self.begin = begin
    }

    /// Checks what applies to all recipients: settings and enforcement. Takes the same time for many entries as for
    /// few.
    func checkSettings() async throws {
        var position: LedgerCheckPosition? = .start
        while let next = position, next.phase == .settings { position = try await step(from: next) }
    }

    /// Checks everything if there is little, and what decisions are derived from if only the rest is much. The rest is
    /// checked in the background.
    func checkAtStart() async throws {
        let most = bounds.entriesAtStart
        guard try await ledgers.entryCount() <= most else { return }
        let rows = try await ledgers.rowCounts(upTo: most + 1)
        guard rows.ofOneTable <= most else { return }
        let isWhole = rows.withoutEntries <= most
        var position: LedgerCheckPosition? = .start
        while let next = position, isWhole || next.phase != .withoutEntries {
            try Task.checkCancellation()
            position = try await step(from: next)
        }
        let found = state.withLock { $0.found }
        // If this cannot be stored, a position of an earlier pass stays, and the next pass continues from there.
        if isWhole || found != nil { try? await ledgers.keep(found) }
        if isWhole { recordEnd() }
    }

    /// Begins, opens ``checked``, and continues to check in the background. While the store cannot be asked, it tries
    /// again: links redirect meanwhile, and nothing is judged, stored or signed. If the store has failed, for example
    /// because a page is damaged, this stays so until a restart.
    ///
    /// - Throws: if it cannot begin for another reason; then the service cannot either.
    func run() async throws {
        try await cancelWhenGracefulShutdown { [self] in
            while !checked.isOpen {
                do {
                    try await begin(self)
                    state.withLock { $0.failure = nil }
                    checked.open()
                    answerable.open()
                } catch {
                    // A statement that is interrupted because the process is ending throws an error of its own.
                    if Task.isCancelled || error is CancellationError { return }
                    guard let failure = error as? any StoreFailure else { throw error }
                    guard (failure as? StorageError)?.isFatal != true else {
                        await endure(failure)
                        return
                    }
                    if !isOfEnd(failure) { note(failure) }
                    guard (try? await Task.sleep(for: bounds.retryInterval)) != nil else { return }
                }
            }
            await runPasses()
        }
    }

    /// Waits for the end of the process. The store itself refuses every write.
    private func endure(_ failure: any StoreFailure) async {
        state.withLock { $0.failure = failure.description }
        logger.critical(
            "the ledgers cannot be checked, because the store has failed: links redirect, and every write is refused",
            metadata: [
                "error": "\(failure)",
                "remedy":
                    """
                stop the service, and run consentlink doctor, which tells whether the database is damaged; if it \
                is, restore the newest backup
                """,
            ])
        answerable.open()
        _ = await checked.wait()
    }

    private func isOfEnd(_ error: any Error) -> Bool { isEnding() && ServerPatience.isOfEnd(error) }

    private func note(_ failure: any StoreFailure) {
        let isNew = state.withLock { state in
            defer { state.failure = failure.description }
            return state.failure == nil
        }
        guard isNew else { return }
        logger.error(
            "the ledgers cannot be checked: links redirect, and the rest of the service waits",
            metadata: ["error": "\(failure)"])
    }

    /// Why the service is not ready.
    var reasonNotReady: ReadinessReason? { state.withLock { $0.failure }.map { .ledgersUnchecked($0) } }

    /// When the last whole pass ended; `nil` before the first of this process.
    var lastPassEnd: Timestamp? {
        let seconds = state.withLock { $0.lastPass }
        return seconds > 0 ? Timestamp(secondsSince1970: seconds) : nil
    }

    private func runPasses() async {
        // What the start checked is not checked again at once.
        if state.withLock({ $0.passes > 0 }), (try? await Task.sleep(for: bounds.interval)) == nil { return }
        var pause: Duration
        repeat {
            pause = bounds.interval
            do {
                if try await !pass() { pause = .zero }
            } catch is CancellationError {
                return
            } catch {
                // The store logs its failure itself; the next pass continues where this one stopped.
                if !isOfEnd(error) { logger.warning("the ledgers could not be checked") }
                pause = bounds.passRetryInterval
            }
        } while (try? await Task.sleep(for: pause)) != nil
    }

    /// One pass over everything, from the place where the store failed. The first pass of a process continues where the
    /// last process stopped, so that a long pass comes to its end, and another one follows at once.
    ///
    /// - Returns: whether it covered everything.
    private func pass() async throws -> Bool {
        var position = try await passBeginning()
        let clock = ContinuousClock()
        var kept = clock.now
        while true {
            let begin = clock.now
            guard let next = try await step(from: position) else { break }
            position = next
            state.withLock { $0.position = next }
            let rest = min((clock.now - begin) * Self.restPerWork, Self.maximumRest)
            try await Task.sleep(for: rest)
            guard clock.now - kept >= bounds.keepInterval else { continue }
            try await ledgers.keep(state.withLock { $0.found } ?? position)
            kept = clock.now
        }
        try await ledgers.keep(state.withLock { $0.found })
        let isWhole = state.withLock { state in
            state.position = .start
            defer { state.isWhole = true }
            return state.isWhole
        }
        if isWhole { recordEnd() }
        return isWhole
    }

    private func passBeginning() async throws -> LedgerCheckPosition {
        let (position, isFirst) = state.withLock { ($0.position, $0.passes == 0) }
        if let position { return position }
        let kept = isFirst ? try await ledgers.checkPosition() : nil
        state.withLock { $0.isWhole = kept == nil || kept == .start }
        return kept ?? .start
    }

    private func step(from position: LedgerCheckPosition) async throws -> LedgerCheckPosition? {
        let step = try await ledgers.check(from: position)
        state.withLock { state in
            state.entries += UInt64(step.entries)
            state.progress = step.next?.phase.progress ?? 1
            guard step.finding != nil else { return }
            state.findings += 1
            state.found = state.found.map { min($0, position) } ?? position
        }
        return step.next
    }

    private func recordEnd() {
        let end = now().millisecondsSince1970 / 1000
        let findings = state.withLock { state in
            state.passes += 1
            state.position = nil
            state.lastPass = end
            return state.findings
        }
        logger.info("the ledgers were checked", metadata: ["findings": "\(findings)"])
    }
}

extension LedgerCheckPosition.Phase {
    /// The part of a pass that lies before this phase.
    fileprivate var progress: Double {
        let index = Self.allCases.firstIndex(of: self) ?? 0
        return Double(index) / Double(Self.allCases.count)
    }
}

extension LedgerInconsistency {
    func log(to logger: Logger) {
        logger.critical(
            "a ledger failed its check; it takes no more entries, and no recipient of its organization is tracked",
            metadata: ["finding": "\(self)"])
    }
}

extension LedgerChecker: MetricSource {
    var metrics: [MetricFamily] {
        let state = state.withLock { $0 }
        return [
            .counter(
                "consentlink_ledger_check_entries_total", "Ledger entries that were compared with their rows.",
                state.entries),
            .counter("consentlink_ledger_check_passes_total", "Whole passes over all ledgers.", state.passes),
            .counter(
                "consentlink_ledger_check_findings_total", "Ledgers that a pass closed because of a finding.",
                state.findings),
            .gauge(
                "consentlink_ledger_check_progress_ratio", "Share of the current pass that is done; 1 after a pass.",
                state.progress),
            .gauge(
                "consentlink_ledger_check_last_pass_timestamp_seconds",
                "When the last whole pass ended, in seconds since 1970; 0 before the first.", Double(state.lastPass)),
        ]
    }
}
