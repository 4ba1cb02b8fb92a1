package import Consent
import Dispatch
package import Identifiers
package import Interactions
package import Organizations
import Synchronization

/// Carries what the spool holds into the interaction store, and goes on after whatever interrupted it.
///
/// It stores first and removes from the spool after; repeating itself stores nothing twice.
package final class Drain: Sendable {
    /// How many occurrences it takes at once.
    private static let batchSize = 2000
    /// How long it lets clicks gather before it goes for them, so that it does not compete with them for the disk.
    private static let gathering = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(5)

    private struct Progress {
        var position = SpoolPosition.start
        var waiting: [Waiter] = []
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
        var pause = Self.gathering
        while !Task.isCancelled {
            do {
                if try await drainBatch() {
                    pause = Self.gathering
                } else {
                    await commits.wait()
                    try await Task.sleep(for: Self.gathering)
                }
            } catch is CancellationError {
                return
            } catch {
                report(.drainFailed(error))
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, Self.longestPause)
            }
        }
    }

    /// Drains all there is, once; for the end of the process, when nothing is added any more.
    package func finish() async throws {
        while try await drainBatch() {}
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
    private func wait(for position: SpoolPosition) async {
        await withCheckedContinuation { continuation in
            let isThere = progress.withLock { progress in
                guard progress.position < position else { return true }
                progress.waiting.append(Waiter(position: position, continuation: continuation))
                return false
            }
            if isThere { continuation.resume() }
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
            guard let message = try await directory.find(id),
                let enforcement = try await organizations.enforcementHistory(of: message.organization)
            else { continue }
            rules[id] = DrainPlan.Rules(purpose: message.purpose, enforcement: enforcement)
        }
        return rules
    }

    private func advance(to position: SpoolPosition) {
        let reached: [Waiter] = progress.withLock { progress in
            progress.position = position
            let reached = progress.waiting.filter { $0.position <= position }
            progress.waiting.removeAll { $0.position <= position }
            return reached
        }
        for waiter in reached { waiter.continuation.resume() }
    }
}
