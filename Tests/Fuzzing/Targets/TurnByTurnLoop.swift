import Dispatch
import Glibc
import NIOCore
import Synchronization

/// An event loop whose turns are taken when they are asked for, on the thread that made it: nothing happens in between,
/// and the same input takes the same way each time.
final class TurnByTurnLoop: EventLoop {
    /// What is to be done. Other threads add to it.
    private let tasks = Mutex<[@Sendable () -> Void]>([])
    /// Counts what was added.
    private let added = DispatchSemaphore(value: 0)
    /// Timers: none of them fires before the end.
    private let timers = Mutex<[@Sendable () -> Void]>([])
    private let thread = pthread_self()

    var inEventLoop: Bool { pthread_equal(pthread_self(), thread) != 0 }

    func execute(_ task: @escaping @Sendable () -> Void) {
        tasks.withLock { $0.append(task) }
        added.signal()
    }

    /// Does what was added first, and waits for it where nothing is there.
    ///
    /// - Returns: `false` when nothing came.
    func turn() -> Bool {
        guard added.wait(timeout: .now() + .seconds(20)) == .success else { return false }
        tasks.withLock { $0.removeFirst() }()
        return true
    }

    /// Lets go of the timers.
    func end() {
        for timer in timers.withLock({ $0 }) { timer() }
        timers.withLock { $0 = [] }
    }

    func scheduleTask<Value>(
        deadline _: NIODeadline, _ task: @escaping @Sendable () throws -> Value
    ) -> Scheduled<Value> {
        let promise = makePromise(of: Value.self)
        timers.withLock { timers in timers.append { promise.fail(EventLoopError.shutdown) } }
        return Scheduled(promise: promise, cancellationTask: {})
    }

    func scheduleTask<Value>(
        in delay: TimeAmount, _ task: @escaping @Sendable () throws -> Value
    ) -> Scheduled<Value> {
        scheduleTask(deadline: .now() + delay, task)
    }

    func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
        queue.async { callback(nil) }
    }
}
