package import Consent
import Dispatch
package import Identifiers
package import Interactions
import Messages
package import Organizations
import Synchronization

/// Carries what the spool holds into the interaction store, and goes on after whatever interrupted it.
///
/// It stores first and removes from the spool after; repeating itself stores nothing twice.
package final class Drain: Sendable {
    /// How many occurrences it takes at once.
    private static let batchSize = 2000
    private static let longestPause = Duration.seconds(5)
    /// Whoever asks what happened waits no longer than this for what is still in the spool.
    private static let patience = Duration.milliseconds(900)

    private struct Progress {
        var position = SpoolPosition.start
        var waiting: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private struct Waiter {
        let position: SpoolPosition
        let continuation: CheckedContinuation<Void, Never>
    }

    private let spool: any ClickSpool
    private let writer: SpoolWriter
    private let directory: LinkDirectory
    private let organizations: any OrganizationStore
    private let consent: any ConsentStore
    private let interactions: any InteractionStore
    private let now: @Sendable () -> Timestamp
    private let report: @Sendable (RedirectFault) -> Void
    private let commits: DrainSignal
    /// Somebody waits for what is in the spool.
    private let urges = DrainSignal()
    private let progress = Mutex(Progress())
    /// Reading blocks, so it has a thread of its own.
    private let readQueue = DispatchQueue(label: "consentlink.drain")

    package init(
        spool: any ClickSpool, writer: SpoolWriter, commits: DrainSignal, directory: LinkDirectory,
        organizations: any OrganizationStore, consent: any ConsentStore, interactions: any InteractionStore,
        now: @escaping @Sendable () -> Timestamp, report: @escaping @Sendable (RedirectFault) -> Void
    ) {
        self.spool = spool
        self.writer = writer
        self.commits = commits
        self.directory = directory
        self.organizations = organizations
        self.consent = consent
        self.interactions = interactions
        self.now = now
        self.report = report
    }

    /// Drains until the task is cancelled.
    package func run() async {
        var pause = DrainPace.look
        var pace = DrainPace(from: observation)
        while !Task.isCancelled {
            let isAwaited = progress.withLock { !$0.waiting.isEmpty }
            guard pace.step(observation, backlog: writer.tally.currentDepth, isAwaited: isAwaited) == .drain else {
                await urges.wait(atMost: DrainPace.look)
                continue
            }
            do {
                if try await !drainBatch() {
                    await commits.wait()
                    await urges.wait(atMost: DrainPace.look)
                }
                pause = DrainPace.look
            } catch is CancellationError {
                return
            } catch {
                report(.drainFailed(error))
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, Self.longestPause)
            }
        }
    }

    private var observation: DrainPace.Observation {
        DrainPace.Observation(spooled: writer.spooledCount, moment: .now)
    }

    /// Drains what there is, for at most `time`; for the end of the process, when nothing is added any more. What is
    /// left stays in the spool, and the next process drains it.
    package func finish(within time: Duration) async throws {
        let end = ContinuousClock.now + time
        while try await drainBatch(), ContinuousClock.now < end {}
    }

    /// Waits until everything spooled so far is in the store; under a load that leaves no time for it, only a moment.
    /// Who asks what happened is told of every click that was answered before, as long as the drain can keep up.
    package func catchUp() async {
        await wait(for: writer.lastPosition, atMost: Self.patience)
    }

    /// What devices reported since `moment` and is not in the store yet.
    package func undrainedReports(since moment: Timestamp) async throws -> [Occurrence] {
        var reports: [Occurrence] = []
        var place = SpoolPosition(before: moment)
        while true {
            let reading = try await read(after: place)
            guard !reading.occurrences.isEmpty else { return reports }
            reports += reading.occurrences.lazy.map(\.occurrence).filter { $0.source != .redirect }
            place = reading.position
        }
    }

    /// Waits until everything spooled so far is drained, then leaves no byte of it in the spool's files.
    package func scrub() async throws {
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
        try await writer.scrub()
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
            urges.raise()
            guard let limit else { return }
            Task {
                try? await Task.sleep(for: limit)
                progress.withLock { $0.waiting.removeValue(forKey: waiter) }?.continuation.resume()
            }
        }
    }

    /// - Returns: whether there was anything to drain.
    private func drainBatch() async throws -> Bool {
        let reading = try await read(after: progress.withLock { $0.position })
        guard !reading.occurrences.isEmpty else { return false }
        let rules = try await rules(for: reading.occurrences)
        let questions = reading.occurrences.map { spooled in
            ReferenceQuestion(
                reference: spooled.occurrence.recipient,
                purpose: rules[spooled.occurrence.message]?.purpose ?? .tracking,
                moment: spooled.occurrence.occurredAt)
        }
        let plan = DrainPlan(
            reading.occurrences, rules: rules, standings: try await consent.standings(of: questions))
        if !plan.kept.isEmpty { try await interactions.store(plan.kept, at: now()) }
        writer.tally.drained(reading.occurrences.count, dropped: plan.droppedCount)
        writer.remove(through: reading.position)
        advance(to: reading.position)
        return true
    }

    private func read(after position: SpoolPosition) async throws -> SpoolReading {
        try await withCheckedThrowingContinuation { continuation in
            readQueue.async { [spool] in
                continuation.resume(with: Result { try spool.read(after: position, limit: Self.batchSize) })
            }
        }
    }

    private func rules(for occurrences: [SpooledOccurrence]) async throws -> [MessageID: DrainPlan.Rules] {
        var rules: [MessageID: DrainPlan.Rules] = [:]
        for id in Set(occurrences.map(\.occurrence.message)) {
            guard let message = try await message(id), !message.gate.isClosed, !message.isUntracked,
                let enforcement = try await organizations.enforcementHistory(of: message.organization)
            else { continue }
            rules[id] = DrainPlan.Rules(purpose: message.purpose, enforcement: enforcement)
        }
        return rules
    }

    /// - Returns: `nil` for a message that is not there, or cannot be read: nobody can say whom its clicks may be about.
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
