import Counting
import Identifiers
import Ledger
import Logging
import ServiceLifecycle
import Synchronization

/// Holds what decisions are derived from to the ledgers: all of it before the service opens its doors where that is
/// little, and in the background, again and again.
final class LedgerChecker: Service {
    /// A start does not wait for more entries than this. They take about half a second.
    private static let entriesAtStart: UInt64 = 100_000
    /// Between two passes.
    private static let interval = Duration.seconds(6 * 3600)
    /// A step is followed by a rest of this many times its length, so that a pass takes a twentieth of a core.
    private static let restPerWork = 19
    private static let longestRest = Duration.seconds(1)
    /// How often the position is written down, which costs a commit.
    private static let keepInterval = Duration.seconds(30)

    private let ledgers: any LedgerChecking
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    private let state = Mutex(State())

    private struct State {
        var entries: UInt64 = 0
        var findings: UInt64 = 0
        var passes: UInt64 = 0
        /// When the last whole pass ended, in seconds since 1970; 0 before the first.
        var lastPass: Int64 = 0
        /// The phases of the pass under way that are done, of 1.
        var progress = 0.0
    }

    init(ledgers: any LedgerChecking, now: @escaping @Sendable () -> Timestamp, logger: Logger) {
        self.ledgers = ledgers
        self.now = now
        self.logger = logger
    }

    /// Checks everything if there is little, else what decides about everybody: settings and enforcement.
    func checkAtStart() async throws {
        let isWhole = try await ledgers.entryCount() <= Self.entriesAtStart
        var position: LedgerCheckPosition? = .start
        while let next = position, isWhole || next.phase == .settings {
            position = try await step(from: next)
        }
        guard isWhole else { return }
        try await ledgers.keep(nil)
        noteEnd()
    }

    func run() async {
        await cancelWhenGracefulShutdown { [self] in
            // What was checked at the start is not checked again at once.
            if state.withLock({ $0.passes > 0 }), (try? await Task.sleep(for: Self.interval)) == nil { return }
            repeat {
                do {
                    try await pass()
                } catch is CancellationError {
                    return
                } catch {
                    // The store says for itself what ails it; the next pass goes on where this one was.
                    logger.warning("the ledgers could not be checked")
                }
            } while (try? await Task.sleep(for: Self.interval)) != nil
        }
    }

    /// One pass over everything, from where the last one stood.
    private func pass() async throws {
        var position = try await ledgers.checkPosition() ?? .start
        let clock = ContinuousClock()
        var kept = clock.now
        while true {
            let begin = clock.now
            guard let next = try await step(from: position) else { break }
            position = next
            let rest = min((clock.now - begin) * Self.restPerWork, Self.longestRest)
            try await Task.sleep(for: rest)
            guard clock.now - kept >= Self.keepInterval else { continue }
            try await ledgers.keep(position)
            kept = clock.now
        }
        try await ledgers.keep(nil)
        noteEnd()
    }

    private func step(from position: LedgerCheckPosition) async throws -> LedgerCheckPosition? {
        let step = try await ledgers.check(from: position)
        state.withLock { state in
            state.entries += UInt64(step.entries)
            state.progress = step.next?.phase.progress ?? 1
            if step.finding != nil { state.findings += 1 }
        }
        return step.next
    }

    private func noteEnd() {
        let end = now().millisecondsSince1970 / 1000
        let findings = state.withLock { state in
            state.passes += 1
            state.lastPass = end
            return state.findings
        }
        logger.info("the ledgers were checked", metadata: ["findings": "\(findings)"])
    }
}

extension LedgerCheckPosition.Phase {
    /// The part of a pass that lies before this phase.
    fileprivate var progress: Double {
        let place = Self.allCases.firstIndex(of: self) ?? 0
        return Double(place) / Double(Self.allCases.count)
    }
}

extension LedgerBreak {
    func log(to logger: Logger) {
        logger.critical(
            "a ledger does not hold; nothing more is entered into it and nobody of it is tracked",
            metadata: ["finding": "\(self)"])
    }
}

extension LedgerChecker: MetricSource {
    var metrics: [MetricFamily] {
        let state = state.withLock { $0 }
        return [
            .counter(
                "consentlink_ledger_check_entries_total", "Entries of ledgers that were held to their rows.",
                state.entries),
            .counter("consentlink_ledger_check_passes_total", "Whole passes over all ledgers.", state.passes),
            .counter(
                "consentlink_ledger_check_findings_total", "Ledgers that were closed by what a pass found.",
                state.findings),
            .gauge(
                "consentlink_ledger_check_progress_ratio", "How much of the present pass is done; 1 after a pass.",
                state.progress),
            .gauge(
                "consentlink_ledger_check_last_pass_timestamp_seconds",
                "When the last whole pass ended, in seconds since 1970; 0 before the first.", Double(state.lastPass)),
        ]
    }
}
