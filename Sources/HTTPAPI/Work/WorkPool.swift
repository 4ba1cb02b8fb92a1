package import Identifiers
import NIOPosix
import Synchronization

/// Threads for requests that need much processor time: large bodies that are parsed and rewritten, messages that are
/// compiled.
///
/// Each organization has its own queue, and the threads take from the queues in turn: an organization waits for at most
/// one step of each other organization, however much these have requested. A step is what a task does until it
/// suspends. Neither Swift's cooperative pool nor an event loop runs any of it, so clicks, health and small requests
/// never wait for it.
package final class WorkPool: Sendable {
    /// How many large requests of one organization may be in progress at once. More are refused: each holds memory
    /// until it ends. Small requests wait for their turn, however many they are.
    static let usualRequestLimit = 32

    /// `nil` stands for requests without an organization, which only the operator can make.
    package typealias Owner = OrganizationID?

    private struct Step {
        let job: UnownedJob
        /// Keeps the executor alive until the job has run.
        let executor: WorkExecutor
    }

    private struct State {
        /// Steps that wait, the oldest first. No queue is empty.
        var queues: [Owner: [Step]] = [:]
        /// The owners of queues, in the order in which they are served.
        var turns: [Owner] = []
        /// The number of large requests in progress.
        var requests: [Owner: Int] = [:]

        mutating func append(_ step: Step, of owner: Owner) {
            if queues[owner]?.append(step) == nil {
                queues[owner] = [step]
                turns.append(owner)
            }
        }

        mutating func next() -> Step? {
            guard !turns.isEmpty else { return nil }
            let owner = turns.removeFirst()
            guard let step = queues[owner]?.removeFirst() else { return nil }
            if queues[owner]?.isEmpty == true { queues[owner] = nil } else { turns.append(owner) }
            return step
        }
    }

    /// Guards the queues; held for one insertion or removal.
    private let state = Mutex(State())
    private let threads: NIOThreadPool
    private let requestLimit: Int

    /// - Parameters:
    ///   - threads: how many steps run at once.
    ///   - requestLimit: how many large requests of one organization may be in progress at once.
    package init(threads: Int, requestLimit: Int = usualRequestLimit) {
        self.requestLimit = requestLimit
        self.threads = NIOThreadPool(numberOfThreads: threads)
        self.threads.start()
    }

    /// Lets one more large request of `owner` use the threads, as long as the permit exists.
    ///
    /// - Throws: 503 if too many of them are in progress.
    package func admit(_ owner: Owner) throws -> WorkPermit {
        let permit = admitSmall(owner)
        try permit.enlarge()
        return permit
    }

    /// A permit for a request that is small, or may be small. ``WorkPermit/enlarge()`` makes it one for a large request.
    func admitSmall(_ owner: Owner) -> WorkPermit { WorkPermit(pool: self, owner: owner) }

    /// How many steps of an owner wait for a thread. For tests.
    func waitingSteps(of owner: Owner) -> Int { state.withLock { $0.queues[owner]?.count ?? 0 } }

    fileprivate func enter(_ owner: Owner) throws {
        try state.withLock { state in
            guard state.requests[owner, default: 0] < requestLimit else {
                throw Problem.unavailable("\(requestLimit) large requests of this organization are under way.")
            }
            state.requests[owner, default: 0] += 1
        }
    }

    fileprivate func leave(_ owner: Owner) {
        state.withLock { state in
            let count = state.requests[owner, default: 0] - 1
            state.requests[owner] = count > 0 ? count : nil
        }
    }

    fileprivate func enqueue(_ job: UnownedJob, of executor: WorkExecutor) {
        state.withLock { $0.append(Step(job: job, executor: executor), of: executor.owner) }
        // One job for each step; the turn at that time decides which step it runs.
        threads.submit { [self] _ in
            guard let step = state.withLock({ $0.next() }) else { return }
            step.job.runSynchronously(on: step.executor.asUnownedTaskExecutor())
        }
    }
}

/// The right of one request to use the threads of a ``WorkPool``. It ends with the last reference to the permit.
package final class WorkPermit: Sendable {
    private let pool: WorkPool
    private let executor: WorkExecutor
    /// Held while the request is counted among the large ones.
    private let isLarge = Mutex(false)

    fileprivate init(pool: WorkPool, owner: WorkPool.Owner) {
        self.pool = pool
        executor = WorkExecutor(pool: pool, owner: owner)
    }

    deinit {
        if isLarge.withLock({ $0 }) { pool.leave(executor.owner) }
    }

    /// Counts the request among the large ones, once.
    ///
    /// - Throws: 503 if too many of them are in progress.
    func enlarge() throws {
        try isLarge.withLock { isLarge in
            guard !isLarge else { return }
            try pool.enter(executor.owner)
            isLarge = true
        }
    }

    /// Runs `work` and its child tasks on the pool's threads. While the work waits for a task, for example a store,
    /// other work uses the thread. The permit exists until the work ends.
    package func run<Value>(_ work: () async throws -> Value) async throws -> Value {
        defer { withExtendedLifetime(self) {} }
        return try await withTaskExecutorPreference(executor) { try await work() }
    }
}

/// Puts the steps of one request into the queue of its owner.
final class WorkExecutor: TaskExecutor {
    private let pool: WorkPool
    let owner: WorkPool.Owner

    fileprivate init(pool: WorkPool, owner: WorkPool.Owner) {
        self.pool = pool
        self.owner = owner
    }

    func enqueue(_ job: consuming ExecutorJob) { pool.enqueue(UnownedJob(job), of: self) }
}
