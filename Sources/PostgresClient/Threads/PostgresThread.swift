import Glibc
import Synchronization

/// A thread for blocking calls, one after another. Swift's cooperative pool must not be blocked.
package final class PostgresThread: Sendable {
    /// How long it waits until it asks the system again for a thread.
    private static let pause = Duration.milliseconds(100)

    /// Starts a thread with the context; returns the system's code.
    typealias Create = (inout pthread_t, UnsafeMutableRawPointer) -> CInt

    private let queue = WorkQueue()

    /// Starts the thread. It ends when this object is gone and its work is done. While other processes have all the
    /// threads of a common limit, it waits for one and blocks the caller: without it, no client would be answered.
    package convenience init() {
        self.init(waitingFor: Self.create)
    }

    init(waitingFor create: Create) {
        while !start(create) { Self.sleepHere(for: Self.pause) }
    }

    /// Starts the thread; `nil` while other processes have all the threads of a common limit.
    init?(unlessShort create: Create) {
        guard start(create) else { return nil }
    }

    private func start(_ create: Create) -> Bool {
        let work = Unmanaged.passRetained(queue)
        var thread = pthread_t()
        let code = create(&thread, work.toOpaque())
        guard code == 0 else {
            precondition(code == EAGAIN, "no thread could be started")
            work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    static func create(_ thread: inout pthread_t, _ context: UnsafeMutableRawPointer) -> CInt {
        pthread_create(&thread, nil, runThread, context)
    }

    deinit { queue.end() }

    /// Runs `work` after all that was scheduled before.
    package func schedule(_ work: @escaping @Sendable () -> Void) { queue.append(work) }

    /// Runs `body` on the thread and waits for it; blocks the caller. Must not be called on the thread itself.
    package func runNow<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        let done = Gate<Result<Value, any Error>>()
        schedule { done.open(Result { try body() }) }
        return try done.wait().get()
    }

    /// Runs `body` on the thread; the caller is suspended.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            schedule { continuation.resume(with: Result { try body() }) }
        }
    }

    package func sleep(for duration: Duration) { Self.sleepHere(for: duration) }

    /// Blocks the calling thread.
    package static func sleepHere(for duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var asked = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        var left = timespec()
        while nanosleep(&asked, &left) != 0, errno == EINTR { asked = left }
    }
}

func runThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    context.flatMap(runThread(from:))
}

private func runThread(from context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let queue = Unmanaged<WorkQueue>.fromOpaque(context).takeRetainedValue()
    while let work = queue.next() { work() }
    return nil
}

/// The work that waits for its thread.
private final class WorkQueue: @unchecked Sendable {
    // Sendable: `work` and `isEnding` are used under the lock.
    private let condition = ThreadCondition()
    private var work: [@Sendable () -> Void] = []
    private var isEnding = false

    func append(_ item: @escaping @Sendable () -> Void) {
        condition.locked {
            work.append(item)
            condition.signal()
        }
    }

    func end() {
        condition.locked {
            isEnding = true
            condition.signal()
        }
    }

    /// Waits; `nil` at the end.
    func next() -> (@Sendable () -> Void)? {
        condition.locked {
            while work.isEmpty {
                if isEnding { return nil }
                condition.wait()
            }
            return work.removeFirst()
        }
    }
}

/// A value that another thread waits for.
private final class Gate<Value: Sendable>: @unchecked Sendable {
    // Sendable: the value is used under the lock.
    private let condition = ThreadCondition()
    private var value: Value?

    func open(_ value: Value) {
        condition.locked {
            self.value = value
            condition.signal()
        }
    }

    func wait() -> Value {
        condition.locked {
            while true {
                if let value { return value }
                condition.wait()
            }
        }
    }
}

/// A lock and a condition of POSIX threads.
private final class ThreadCondition: @unchecked Sendable {
    // Sendable: POSIX makes both safe to use from any thread, and their addresses never change.
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(lock, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(lock)
        condition.deallocate()
        lock.deallocate()
    }

    func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body()
    }

    /// Must be called inside ``locked(_:)``.
    func wait() { pthread_cond_wait(condition, lock) }

    func signal() { pthread_cond_signal(condition) }
}
