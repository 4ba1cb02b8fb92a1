import CMalloc
import Glibc
import ServiceLifecycle

/// Gives freed memory back to the system, once a second while the process works.
///
/// By itself glibc gives back what is free at the end of a heap. Requests and batches of many sizes leave free pages
/// between what is in use: 11 of 100 MiB while a million consent records are recorded. A turn takes about a
/// millisecond, in which other threads may wait for memory.
struct FreedMemoryService: Service {
    /// The processor time that the process has used.
    var used: @Sendable () -> Duration = { .processorTime }
    var giveBack: @Sendable () -> Void = { malloc_trim(0) }
    var interval = Duration.seconds(1)

    /// An idle process uses less within an interval, and frees nothing.
    private static let leastWork = Duration.milliseconds(20)

    func run() async {
        await cancelWhenGracefulShutdown {
            var before = used()
            while (try? await Task.sleep(for: interval)) != nil {
                let now = used()
                if now - before >= Self.leastWork { giveBack() }
                before = now
            }
        }
    }
}

extension Duration {
    /// The processor time of this process, of all its threads, in user space and in the kernel.
    fileprivate static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
