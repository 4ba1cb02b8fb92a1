import CMalloc
import Glibc
import ServiceLifecycle

/// Gives freed memory back to the system: after every 100 ms of processor time, at most once a second, and in at most
/// a thousandth of the time.
///
/// By itself glibc gives back what is free at the end of a heap. Requests and batches of many sizes leave free pages
/// between what is in use: 11 of 100 MiB while a million consent records are recorded. A turn took a millisecond then,
/// in which other threads may wait for memory. It takes longer the more pieces are free.
struct FreedMemoryService: Service {
    /// The processor time that the process has used, all its threads, in user space and in the kernel.
    var used: @Sendable () -> Duration = { .nanoseconds(ClockReading.nanoseconds(CLOCK_PROCESS_CPUTIME_ID)) }
    var giveBack: @Sendable () -> Void = { malloc_trim(0) }
    var interval = Duration.seconds(1)

    /// An idle process frees almost nothing.
    private static let minimumWork = Duration.milliseconds(100)
    /// The pause after a turn, as a multiple of the turn's duration.
    private static let pause = 1000

    func run() async {
        await cancelWhenGracefulShutdown {
            var usedBefore = used()
            var next = ContinuousClock.now
            while (try? await Task.sleep(for: interval)) != nil {
                guard used() - usedBefore >= Self.minimumWork, ContinuousClock.now >= next else { continue }
                let taken = ContinuousClock().measure(giveBack)
                next = .now + taken * Self.pause
                usedBefore = used()
            }
        }
    }
}
