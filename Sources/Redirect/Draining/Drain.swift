package import Consent
import Dispatch
package import Identifiers
package import Interactions
import Messages
package import Organizations
import Synchronization

/// Carries what the spool holds into the interaction store, and continues after any interruption. When it does what is
/// decided by ``DrainStateMachine``, and what it stores by ``DrainPlan``.
///
/// It stores first and removes from the spool after. A batch that is repeated is stored once.
package final class Drain: Sendable {
    /// How many occurrences one batch has at most, and how many while much waits: what is done once for a batch then serves
    /// more of them.
    private static let (batchSize, largeBatchSize) = (2_000, 4_000)
    /// So many are much.
    private static let largeBacklog = 20_000
    /// A caller that asks what happened waits no longer than this for what is still in the spool.

    private struct Progress {
        var position = SpoolPosition.start
        var waiting: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private struct Waiter {
        let position: SpoolPosition
        let continuation: CheckedContinuation<Void, Never>
    }

    /// Occurrences that were read and judged.
    private struct Batch: Sendable {
        /// What is stored of them.
        let kept: PreparedOccurrences
        let droppedCount: Int
        let count: Int
        let position: SpoolPosition
        /// Whether it has as many as one batch takes, so that more may follow.
        let isWhole: Bool
    }

    /// Whether the next batch was read and judged already.
    private enum Ahead {
        case nothing
        case judged(Batch)
        /// There is none.
        case end

        var isEnd: Bool {
            if case .end = self { true } else { false }
        }
    }

    private let spool: any ClickSpool
    private let writer: SpoolWriter
    private let directory: LinkDirectory
    private let organizations: any OrganizationDirectory
    private let consent: any ConsentLookup
    private let interactions: any InteractionStore
    private let uncertainty: Duration
    private let catchUpTimeout: Duration
    private let now: @Sendable () -> Timestamp
    private let report: @Sendable (RedirectFault) -> Void
    private let commits: WakeUpSignal
    /// A caller waits for what is in the spool.
    private let requests = WakeUpSignal()
    private let progress = Mutex(Progress())
    /// Reading blocks, so it has its own thread.
    private let readQueue = DispatchQueue(label: "consentlink.drain")

    /// - Parameters:
    ///   - uncertainty: of the time of an unjudged click against that of a consent record, which another node may have
    ///     made: where it may have come after what ends tracking, it is not recorded.
    ///   - catchUpTimeout: how long ``catchUp()`` waits at most.
    package init(
        spool: any ClickSpool, writer: SpoolWriter, commits: WakeUpSignal, directory: LinkDirectory,
        organizations: any OrganizationDirectory, consent: any ConsentLookup, interactions: any InteractionStore,
        uncertainty: Duration = .zero, catchUpTimeout: Duration = .milliseconds(900),
        now: @escaping @Sendable () -> Timestamp,
        report: @escaping @Sendable (RedirectFault) -> Void
    ) {
        self.spool = spool
        self.writer = writer
        self.commits = commits
        self.directory = directory
        self.organizations = organizations
        self.consent = consent
        self.interactions = interactions
        self.uncertainty = uncertainty
        self.catchUpTimeout = catchUpTimeout
        self.now = now
        self.report = report
    }

    /// Drains until the task is cancelled.
    package func run() async {
        var machine = DrainStateMachine(throttle: DrainThrottle(spooled: writer.spooledCount, at: .now))
        var ahead = Ahead.nothing
        while !Task.isCancelled {
            let action = machine.next(observation)
            // What was judged before a wait would be stored by what was known then.
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
        case .rest(let time): await requests.wait(atMost: time)
        case .backOff(let time): try? await Task.sleep(for: time)
        }
    }

    private var observation: DrainThrottle.Observation {
        DrainThrottle.Observation(
            spooled: writer.spooledCount, backlog: writer.counters.currentDepth,
            isAwaited: progress.withLock { !$0.waiting.isEmpty }, time: .now)
    }

    /// Drains what there is, for at most `time`. For the end of the process, when nothing is added any more. What is left
    /// stays in the spool, and the next process drains it.
    /// - Throws: what the spool or a store throws; nothing is lost then.
    package func finish(within time: Duration) async throws {
        let end = ContinuousClock.now + time
        var ahead = Ahead.nothing
        repeat { ahead = try await drainBatch(ahead) } while !ahead.isEnd && ContinuousClock.now < end
    }

    /// Waits until everything spooled so far is in the store, for 900 ms at most. A caller that reads interactions after
    /// it sees every click that was answered before, as long as the drain can keep up.
    package func catchUp() async {
        await wait(for: writer.lastPosition, atMost: catchUpTimeout)
    }

    /// What devices reported since `start` and is not in the store yet.
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
    package func eraseResiduals() async throws {
        let target = writer.lastPosition
        if target > .start {
            await wait(for: target)
        } else {
            // Nothing was spooled by this process, but a former one may have left something.
            while true {
                let reading = try await read(after: progress.withLock { $0.position })
                guard !reading.occurrences.isEmpty else { break }
                await wait(for: reading.position)
            }
        }
        try await writer.eraseResiduals()
    }

    /// Waits until everything up to `position` is drained.
    private func wait(for position: SpoolPosition, atMost limit: Duration? = nil) async {
        await withCheckedContinuation { continuation in
            let waiter: Int? = progress.withLock { progress in
                guard progress.position < position else { return nil }
                progress.lastWaiter += 1
                progress.waiting[progress.lastWaiter] = Waiter(position: position, continuation: continuation)
                return progress.lastWaiter
            }
            guard let waiter else { return continuation.resume() }
            requests.raise()
            guard let limit else { return }
            Task {
                try? await Task.sleep(for: limit)
                progress.withLock { $0.waiting.removeValue(forKey: waiter) }?.continuation.resume()
            }
        }
    }

    /// Drains a batch. While the store takes it the next one is judged, if one follows at once.
    /// - Returns: the next batch, if it was judged meanwhile; ``Ahead/end`` when there was nothing to drain.
    private func drainBatch(_ ahead: Ahead) async throws -> Ahead {
        let batch: Batch?
        switch ahead {
        case .nothing: batch = try await judge(after: progress.withLock { $0.position })
        case .judged(let judged): batch = judged
        case .end: batch = nil
        }
        guard let batch else { return .end }
        async let next = batch.isWhole ? judge(after: batch.position) : nil
        if !batch.kept.occurrences.isEmpty { try await interactions.store(batch.kept, at: now()) }
        writer.counters.drained(batch.count, dropped: batch.droppedCount)
        writer.remove(through: batch.position)
        advance(to: batch.position)
        return try await next.map { .judged($0) } ?? .nothing
    }

    /// Reads the batch after a position, decides about it, and has looked up what storing it asks for.
    private func judge(after position: SpoolPosition) async throws -> Batch? {
        let limit = writer.counters.currentDepth > Self.largeBacklog ? Self.largeBatchSize : Self.batchSize
        let reading = try await read(after: position, limit: limit)
        guard !reading.occurrences.isEmpty else { return nil }
        let rules = try await rules(for: reading.occurrences)
        let instants = reading.occurrences.map { spooled in
            spooled.isUnjudged ? spooled.occurrence.occurredAt.advanced(by: uncertainty) : spooled.occurrence.occurredAt
        }
        let questions = zip(reading.occurrences, instants).map { spooled, instant in
            ReferenceQuestion(
                reference: spooled.occurrence.recipient,
                purpose: rules[spooled.occurrence.message]?.purposes[spooled.occurrence.kind.activity] ?? .tracking,
                instant: instant)
        }
        let plan = DrainPlan(
            reading.occurrences, rules: rules, statuses: try await consent.statuses(of: questions),
            instants: instants)
        return Batch(
            kept: plan.kept.isEmpty ? PreparedOccurrences([]) : try await interactions.prepare(plan.kept),
            droppedCount: plan.droppedCount, count: reading.occurrences.count, position: reading.position,
            isWhole: reading.occurrences.count >= limit)
    }

    private func read(after position: SpoolPosition, limit: Int = Drain.batchSize) async throws -> SpoolReading {
        try await withCheckedThrowingContinuation { continuation in
            readQueue.async { [spool] in
                continuation.resume(with: Result { try spool.read(after: position, limit: limit) })
            }
        }
    }

    private func rules(for occurrences: [SpooledOccurrence]) async throws -> [MessageID: DrainPlan.Rules] {
        var rules: [MessageID: DrainPlan.Rules] = [:]
        var histories: [OrganizationID: EnforcementHistory?] = [:]
        for id in Set(occurrences.map(\.occurrence.message)) {
            guard let message = try await message(id), !message.rules.isClosed, !message.isUntracked else { continue }
            if histories[message.organization] == nil {
                histories[message.organization] = .some(
                    try await organizations.enforcementHistory(of: message.organization))
            }
            guard let enforcement = histories[message.organization] ?? nil else { continue }
            rules[id] = DrainPlan.Rules(
                purposes: message.purposes, enforcement: enforcement, isDisabled: message.isDisabled)
        }
        return rules
    }

    /// - Returns: `nil` for a message that does not exist or cannot be read: whether its clicks are permitted is unknown.
    private func message(_ id: MessageID) async throws -> LinkedMessage? {
        do {
            return try await directory.find(id)
        } catch is UnreadableMessage {
            return nil
        }
    }

    private func advance(to position: SpoolPosition) {
        let reached = progress.withLock { progress in
            progress.position = position
            let reached = progress.waiting.filter { $0.value.position <= position }
            for number in reached.keys { progress.waiting[number] = nil }
            return reached.values
        }
        for waiter in reached { waiter.continuation.resume() }
    }
}
