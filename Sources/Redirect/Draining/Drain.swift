import Dispatch
package import Identifiers
package import Interactions
import StoragePorts

/// Moves occurrences from the spool into the interaction store, and continues after any interruption.
/// ``DrainStateMachine`` decides when it does what, ``DrainPlan`` decides what it stores.
///
/// It stores first and removes from the spool after. A batch that is repeated is stored once.
package final class Drain: Sendable {
    /// About how many occurrences one batch has while few wait. The occurrences of one commit of the spool stay
    /// together, so a batch may have more.
    private static let batchSize = 2_000
    /// While more than these wait, each batch is twice as large as the one before, up to what the store takes at once:
    /// the work that is done once for a batch then serves more of them.
    private static let largeBacklog = 20_000
    /// A batch of more messages is followed by one of the usual size: each message of a batch is kept in memory, and
    /// has counts of its own that must be written.
    private static let maximumMessageCount = 1_000
    /// How long callers wait for the drain.
    package struct Timeouts: Sendable {
        /// How long ``Drain/catchUp()`` waits at most.
        let catchUp: Duration
        /// How long ``Drain/eraseResiduals()`` waits at most, until the spool is drained.
        let erasure: Duration

        package init(catchUp: Duration = .milliseconds(900), erasure: Duration = .seconds(20)) {
            self.catchUp = catchUp
            self.erasure = erasure
        }
    }

    /// Occurrences that were read and judged.
    private struct Batch: Sendable {
        let judgement: DrainJudge.Judgement
        let count: Int
        let position: SpoolPosition
        /// Whether it has as many occurrences as one batch takes, so that more may follow.
        let isWhole: Bool
    }

    /// Whether the next batch was read and judged already.
    private enum Ahead {
        case nothing
        case judged(Batch)
        /// There is no next batch.
        case end

        var isEnd: Bool {
            if case .end = self { true } else { false }
        }
    }

    private let spool: any ClickSpool
    private let writer: SpoolWriter
    private let judge: DrainJudge
    private let timeouts: Timeouts
    private let report: @Sendable (RedirectFault) -> Void
    private let forgetReports: @Sendable ([Occurrence]) -> Void
    private let commits: WakeUpSignal
    private let progress = DrainProgress()
    /// Reading blocks, so it has its own thread.
    private let readQueue = DispatchQueue(label: "consentlink.drain")

    /// - Parameters:
    ///   - commits: is raised after each commit of the spool.
    ///   - judge: decides what is stored, and knows the store that gets it.
    ///   - forgetReports: is called with what devices reported and is dropped, so that nothing is taken for a repeat of
    ///     it (``ReportDeduplicator/forget(_:)``).
    package init(
        spool: any ClickSpool, writer: SpoolWriter, commits: WakeUpSignal, judge: DrainJudge,
        timeouts: Timeouts = Timeouts(), forgetReports: @escaping @Sendable ([Occurrence]) -> Void = { _ in },
        report: @escaping @Sendable (RedirectFault) -> Void
    ) {
        self.spool = spool
        self.writer = writer
        self.commits = commits
        self.judge = judge
        self.timeouts = timeouts
        self.forgetReports = forgetReports
        self.report = report
    }

    /// Drains until the task is cancelled. First it judges what was set aside earlier: each start looks again whether
    /// the ledger is still closed.
    package func run() async {
        defer { progress.end() }
        while !Task.isCancelled {
            do {
                try await drainParked()
                progress.advance(to: .start)
                break
            } catch {
                if !(error is CancellationError) { report(.drainFailed(error)) }
                try? await Task.sleep(for: DrainStateMachine.maximumBackoff)
            }
        }
        var machine = DrainStateMachine(throttle: DrainThrottle(spooled: writer.spooledCount, at: .now))
        var ahead = Ahead.nothing
        while !Task.isCancelled {
            let action = machine.next(observation)
            // A batch that was judged before the wait may rest on outdated consent, so it is dropped and judged again.
            guard action == .drain else {
                ahead = .nothing
                await wait(for: action)
                continue
            }
            do {
                ahead = try await drainBatch(ahead)
                machine.drained(isEmpty: ahead.isEnd)
            } catch is CancellationError {
                return
            } catch {
                ahead = .nothing
                report(.drainFailed(error))
                machine.failed()
            }
        }
    }

    private func wait(for action: DrainStateMachine.Action) async {
        switch action {
        case .drain: break
        case .awaitCommit: await commits.wait()
        case .rest(let time): await progress.requests.wait(atMost: time)
        case .backOff(let time): try? await Task.sleep(for: time)
        }
    }

    private var observation: DrainThrottle.Observation {
        DrainThrottle.Observation(
            spooled: writer.spooledCount, backlog: writer.counters.currentDepth,
            isAwaited: progress.isAwaited, time: .now)
    }

    /// Drains the spool, for at most `time`. For the end of the process, when nothing is added any more. Occurrences
    /// that are left stay in the spool, and the next process drains them.
    /// - Throws: what the spool or a store throws; nothing is lost then.
    package func finish(within time: Duration) async throws {
        let end = ContinuousClock.now + time
        var ahead = Ahead.nothing
        repeat { ahead = try await drainBatch(ahead) } while !ahead.isEnd && ContinuousClock.now < end
        if ahead.isEnd { writer.counters.emptied() }
    }

    /// Waits until everything spooled so far is in the store, for 900 ms at most. A caller that reads interactions
    /// after it sees every click that was answered before, as long as the drain can keep up.
    package func catchUp() async {
        let last = writer.lastPosition
        if last > .start { await progress.wait(for: last, atMost: timeouts.catchUp) }
    }

    /// What devices have reported since `start` and the store does not have yet.
    package func undrainedReports(since start: Timestamp) async throws -> [Occurrence] {
        var reports: [Occurrence] = []
        var position = SpoolPosition(before: start)
        while true {
            let reading = try await read(after: position)
            guard !reading.occurrences.isEmpty else { return reports }
            reports += reading.occurrences.lazy.map(\.occurrence).filter { $0.source != .redirect }
            position = reading.position
        }
    }

    /// Waits until everything spooled so far is drained, then leaves no byte of it in the spool's files.
    /// - Throws: ``SpoolNotDrained`` if that takes too long or the drain has ended; the caller may try again.
    package func eraseResiduals() async throws {
        // Until the occurrences that were set aside are judged, clicks of erased recipients may be among them.
        if try await onReadQueue({ [spool] in try spool.parked(after: .start) }) != nil { try await require(.start) }
        let target = writer.lastPosition
        if target > .start {
            try await require(target)
        } else {
            // This process spooled nothing, but an earlier one may have left something.
            while true {
                let reading = try await read(after: progress.position)
                guard !reading.occurrences.isEmpty else { break }
                try await require(reading.position)
            }
        }
        try await writer.eraseResiduals()
    }

    private func require(_ position: SpoolPosition) async throws {
        guard await progress.wait(for: position, atMost: timeouts.erasure) else { throw SpoolNotDrained() }
    }

    /// Drains a batch. While the store takes it, the next batch is judged, if one follows at once.
    /// - Returns: the next batch, if it was judged meanwhile; ``Ahead/end`` when there was nothing to drain.
    private func drainBatch(_ ahead: Ahead) async throws -> Ahead {
        let batch: Batch?
        switch ahead {
        case .nothing: batch = try await judge(after: progress.position)
        case .judged(let judged): batch = judged
        case .end: batch = nil
        }
        guard let batch else { return .end }
        async let next = batch.isWhole ? judge(after: batch.position, following: batch) : nil
        let outcome = try await settle(batch.judgement)
        if !outcome.undecided.isEmpty { try await park(outcome.undecided, at: batch.position) }
        writer.counters.drained(batch.count, dropped: outcome.dropped, parked: outcome.undecided.count)
        writer.remove(through: batch.position)
        progress.advance(to: batch.position)
        return try await next.map { .judged($0) } ?? .nothing
    }

    /// Judges again what an earlier process, or an earlier drain, set aside.
    private func drainParked() async throws {
        var (position, left) = (SpoolPosition.start, 0)
        while let parked = try await onReadQueue({ [spool, position] in try spool.parked(after: position) }) {
            try await judge.times.check()
            let outcome = try await settle(try await judge.judge(parked.occurrences))
            let settled = parked.occurrences.count - outcome.undecided.count
            // Also where none is settled: a time may be in a gap that the next process does not know.
            let isChanged = outcome.undecided != parked.occurrences
            if isChanged || parked.unreadableCount > 0 { try await park(outcome.undecided, at: parked.position) }
            if parked.unreadableCount > 0 { report(.batchesUnreadable(parked.unreadableCount)) }
            writer.counters.settledParked(settled, dropped: outcome.dropped)
            (position, left) = (parked.position, left + outcome.undecided.count)
        }
        writer.counters.judgedParked(left: left)
    }

    /// Stores what is kept. If consent was recorded meanwhile, judges the affected occurrences again, until all are
    /// stored, dropped or undecided.
    private func settle(
        _ first: DrainJudge.Judgement
    ) async throws -> (undecided: [SpooledOccurrence], dropped: DroppedCounts) {
        var (judgement, undecided, dropped) = (first, first.undecided, DroppedCounts(first))
        var (reports, messageless) = (first.droppedReports, first.messagelessCount)
        while !judgement.kept.occurrences.isEmpty {
            let outdated = try await judge.interactions.store(judgement.kept, at: judge.now())
            guard !outdated.isEmpty else { break }
            judgement = try await judge.judge(outdated)
            undecided += judgement.undecided
            dropped += DroppedCounts(judgement)
            reports += judgement.droppedReports
            messageless += judgement.messagelessCount
        }
        if !reports.isEmpty { forgetReports(reports) }
        if messageless > 0 { report(.clicksOfNoMessage(messageless)) }
        return (undecided, dropped)
    }

    private func park(_ occurrences: [SpooledOccurrence], at position: SpoolPosition) async throws {
        try await onReadQueue { [spool] in try spool.park(occurrences, at: position) }
    }

    /// How many occurrences the next batch may have.
    private func limit(following last: Batch?) -> Int {
        guard let last, last.judgement.messageCount <= Self.maximumMessageCount,
            writer.counters.currentDepth > Self.largeBacklog
        else { return Self.batchSize }
        return min(2 * last.count, judge.interactions.maximumBatchSize)
    }

    /// Reads the batch after a position and decides about it.
    /// - Parameter last: the batch before it, if it follows one at once.
    private func judge(after position: SpoolPosition, following last: Batch? = nil) async throws -> Batch? {
        let limit = limit(following: last)
        let reading = try await read(after: position, limit: limit)
        if reading.unreadableCount > 0 { report(.batchesUnreadable(reading.unreadableCount)) }
        guard !reading.occurrences.isEmpty else { return nil }
        // After they have occurred: the clock may have been behind then.
        try await judge.times.check()
        return Batch(
            judgement: try await judge.judge(reading.occurrences), count: reading.occurrences.count,
            position: reading.position, isWhole: reading.occurrences.count >= limit)
    }

    private func read(after position: SpoolPosition, limit: Int = Drain.batchSize) async throws -> SpoolReading {
        try await onReadQueue { [spool] in try spool.read(after: position, limit: limit) }
    }

    private func onReadQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            readQueue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}

/// An erasure waited too long for earlier clicks to leave the spool.
package struct SpoolNotDrained: StoreFailure {
    package var isTransient: Bool { true }
    package var description: String { "clicks in the spool are not stored yet" }
}
