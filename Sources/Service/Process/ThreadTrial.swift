import Foundation
import Glibc

/// Finds out how many threads the system gives to this process. Limits of a user, of a control group and of memory are
/// each found only by starting threads.
enum ThreadTrial {
    /// How many threads the process has.
    static var running: Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 1 }

    /// Starts threads that live together and take no signal, and ends them. Takes about 50 microseconds for each.
    ///
    /// - Returns: how many the system gave, at most `wanted`.
    static func given(of wanted: Int) -> Int {
        guard wanted > 0 else { return 0 }
        let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        pthread_mutex_init(gate, nil)
        pthread_mutex_lock(gate)
        let mask = holdSignals()
        var threads: [pthread_t] = []
        while threads.count < wanted {
            var thread = pthread_t()
            guard pthread_create(&thread, nil, passGate, gate) == 0 else { break }
            threads.append(thread)
        }
        setMask(mask)
        pthread_mutex_unlock(gate)
        for thread in threads { pthread_join(thread, nil) }
        pthread_mutex_destroy(gate)
        gate.deallocate()
        return threads.count
    }

    /// - Returns: the mask of this thread before.
    private static func holdSignals() -> sigset_t {
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        return before
    }

    private static func setMask(_ mask: sigset_t) {
        var mask = mask
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
}

/// Returns when the gate is open.
private func passGate(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let gate = context?.assumingMemoryBound(to: pthread_mutex_t.self) else { return nil }
    pthread_mutex_lock(gate)
    pthread_mutex_unlock(gate)
    return nil
}
