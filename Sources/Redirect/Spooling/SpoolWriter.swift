import Counting
import Dispatch
package import Interactions
import Synchronization

/// Writes occurrences to the spool by group commit: all that wait during one commit share the next.
///
/// The commit in flight sets the pace; there is no timer. A single click commits at once, and a thousand share one
/// fsync.
package final class SpoolWriter: Sendable {
    /// Called on the writer's own thread, once, after the commit.
    package typealias Completion = @Sendable (SpoolOutcome) -> Void

    /// How long a reader waits for the disk at most. Then the reader is redirected, or gets the picture of a mail, and
    /// the click or opening counts as unrecorded.
    package static let maximumReaderWait = Duration.seconds(3)

    /// When so many occurrences wait for the disk, more are refused at once: memory stays bounded, and readers are
    /// redirected.
    private static let maximumWaiting = 200_000

    private struct Submission {
        let occurrences: [Occurrence]
        let completion: Completion
    }

    private struct State {
        var waiting: [Submission] = []
        var waitingCount = 0
        /// The position through which to remove, with the next commit.
        var drained: SpoolPosition?
        /// The position through which removal failed.
        var undrained: SpoolPosition?
        var erasures: [CheckedContinuation<Void, any Error>] = []
        /// Whether to test if the spool accepts writes.
        var mustProbe = false
        /// Whether `run` is on the queue.
        var isRunning = false
        var last = SpoolPosition.start
        var spooledCount = 0
        var failure: (any Error)?

        var isFull: Bool { failure.map { UnrecordedReason($0) == .full } ?? false }
        var isIdle: Bool { waiting.isEmpty && drained == nil && erasures.isEmpty && !mustProbe }
    }

    package let counters = SpoolCounters()
    private let spool: any ClickSpool
    private let onCommit: @Sendable (SpoolPosition) -> Void
    private let report: @Sendable (RedirectFault) -> Void
    private let isStale: (@Sendable () -> Bool)?
    /// Guards what waits. Held to add to it or to take all of it, never during a commit.
    private let state = Mutex(State())
    /// Whether the disk has so little free space that no occurrence is stored.
    private let isBelowFloor = Atomic<Bool>(false)
    private let queue = DispatchQueue(label: "consentlink.spool", qos: .userInitiated)

    /// - Parameters:
    ///   - isStale: whether occurrences are not stored now because the node may not know every withdrawal; `nil` for a
    ///     node that stores them in any case. Must be quick.
    ///   - onCommit: called after every commit, before the completions of its submissions.
    package init(
        spool: any ClickSpool, isStale: (@Sendable () -> Bool)? = nil,
        onCommit: @escaping @Sendable (SpoolPosition) -> Void, report: @escaping @Sendable (RedirectFault) -> Void
    ) {
        self.spool = spool
        self.isStale = isStale
        self.onCommit = onCommit
        self.report = report
    }

    /// Hands over occurrences. They are durable when `completion` is called with ``SpoolOutcome/recorded``.
    package func submit(_ occurrences: [Occurrence], completion: @escaping Completion) {
        guard !isBelowFloor.load(ordering: .relaxed) else { return completion(.unrecorded(.diskFloor)) }
        if let isStale, isStale() { return completion(.unrecorded(.stale)) }
        let isAccepted = wake { state in
            guard state.waitingCount + occurrences.count <= Self.maximumWaiting else { return false }
            state.waiting.append(Submission(occurrences: occurrences, completion: completion))
            state.waitingCount += occurrences.count
            return true
        }
        if !isAccepted { completion(.unrecorded(.overloaded)) }
    }

    /// Sets whether the disk has too little free space for occurrences. While it has, they are refused.
    package func setBelowFloor(_ isBelow: Bool) { isBelowFloor.store(isBelow, ordering: .relaxed) }

    /// Removes drained occurrences, together with the next commit.
    func remove(through position: SpoolPosition) {
        _ = wake { state in
            state.drained = position
            return true
        }
    }

    /// Erases drained occurrences from all files of the spool. On return, no byte of them is left there.
    func eraseResiduals() async throws {
        try await withCheckedThrowingContinuation { continuation in
            _ = wake { state in
                state.erasures.append(continuation)
                state.drained = state.drained ?? state.undrained
                return true
            }
        }
    }

    /// The position of the last commit.
    var lastPosition: SpoolPosition { state.withLock { $0.last } }

    /// How many occurrences were made durable since the process began.
    var spooledCount: Int { state.withLock { $0.spooledCount } }

    /// Why the last commit failed; `nil` while clicks are recorded.
    package var failure: (any Error)? { state.withLock { $0.failure } }

    /// Why a click now would not become durable, judged by the last commit; `nil` if it would.
    package var unrecordedReason: UnrecordedReason? {
        if isBelowFloor.load(ordering: .relaxed) { return .diskFloor }
        if let isStale, isStale() { return .stale }
        return failure.map { UnrecordedReason($0) }
    }

    /// Tests whether a spool that refused a write accepts writes again, without a click: a service that is not ready
    /// may get no clicks.
    package func retryIfFailing() async {
        guard let failure, (failure as? any SpoolFailure)?.isTransient ?? true else { return }
        guard UnrecordedReason(failure) != .full else {
            // Removing drained occurrences frees space.
            try? await eraseResiduals()
            return
        }
        _ = wake { state in
            state.mustProbe = true
            return true
        }
    }

    private func wake(_ change: (inout State) -> Bool) -> Bool {
        let (isAccepted, mustStart) = state.withLock { state in
            let isAccepted = change(&state)
            let mustStart = !state.isRunning && !state.isIdle
            if mustStart { state.isRunning = true }
            return (isAccepted, mustStart)
        }
        if mustStart { queue.async { self.run() } }
        return isAccepted
    }

    /// Works until nothing waits.
    private func run() {
        while true {
            let work: State? = state.withLock { state in
                guard !state.isIdle else {
                    state.isRunning = false
                    return nil
                }
                let work = state
                state.waiting = []
                state.waitingCount = 0
                state.drained = nil
                state.undrained = nil
                state.erasures = []
                state.mustProbe = false
                return work
            }
            guard let work else { return }
            let removal = remove(through: work.drained)
            if !work.waiting.isEmpty { commit(work.waiting) } else if work.mustProbe { probe() }
            for erasure in work.erasures {
                erasure.resume(with: removal.flatMap { Result { try eraseSpoolResiduals() } })
            }
        }
    }

    private func remove(through position: SpoolPosition?) -> Result<Void, any Error> {
        guard let position else { return .success(()) }
        let removal = Result { try spool.remove(through: position) }
        if case .failure(let error) = removal {
            report(.spoolFailed(error))
            // The next removal, or the next erasure of residuals, tries again.
            state.withLock { $0.undrained = max($0.undrained ?? position, position) }
        }
        return removal
    }

    private func probe() {
        guard (try? spool.probe()) != nil else { return }
        state.withLock { $0.failure = nil }
    }

    private func eraseSpoolResiduals() throws {
        try spool.eraseResiduals()
        state.withLock { if $0.isFull { $0.failure = nil } }
    }

    private func commit(_ submissions: [Submission]) {
        let start = ContinuousClock.now
        do {
            let all = submissions.count == 1 ? submissions[0].occurrences : submissions.flatMap(\.occurrences)
            let position = try spool.append(all)
            counters.commitSeconds.observe(ContinuousClock.now - start)
            counters.committed(all.count)
            state.withLock {
                $0.last = position
                $0.spooledCount += all.count
                $0.failure = nil
            }
            onCommit(position)
            for submission in submissions { submission.completion(.recorded) }
        } catch {
            counters.commitSeconds.observe(ContinuousClock.now - start)
            let isNews = state.withLock { state in
                defer { state.failure = error }
                return state.failure == nil
            }
            if isNews { report(.spoolFailed(error)) }
            let outcome = SpoolOutcome.unrecorded(UnrecordedReason(error))
            for submission in submissions { submission.completion(outcome) }
        }
    }
}
