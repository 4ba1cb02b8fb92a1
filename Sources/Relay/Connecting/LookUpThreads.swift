import Glibc
import Synchronization

/// The threads for look-ups of names, which block: one set for the process. A thread begins when a look-up needs it, and
/// ends when none waits.
///
/// The look-ups of one organization have few threads at once: a name server that never answers delays only the
/// organization that named it. If the system refuses a thread, its look-up waits as if all threads were busy.
final class LookUpThreads: Sendable {
    private struct Work {
        let organization: String
        let run: @Sendable () -> Void
    }

    private struct State {
        var waiting: [Work] = []
        /// How many look-ups of an organization run.
        var running: [String: Int] = [:]
        var threads = 0
    }

    private let limit: Int
    private let limitOfOrganization: Int
    /// Guards what waits and what runs; held to read or change it.
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: how many threads there are at once. While all hang, other organizations wait for one.
    ///   - limitOfOrganization: how many look-ups of one organization run at once.
    init(limit: Int = 256, limitOfOrganization: Int = 4) {
        self.limit = limit
        self.limitOfOrganization = limitOfOrganization
    }

    /// How many threads there are now.
    var count: Int { state.withLock { $0.threads } }

    /// Runs `work` on a thread as soon as one is free for the organization.
    /// - Parameter work: may block.
    func submit(for organization: String, _ work: @escaping @Sendable () -> Void) {
        let needsThread = state.withLock { state in
            state.waiting.append(Work(organization: organization, run: work))
            guard state.threads < limit, state.running[organization, default: 0] < limitOfOrganization else {
                return false
            }
            state.threads += 1
            return true
        }
        guard needsThread, !begin() else { return }
        state.withLock { $0.threads -= 1 }
    }

    /// - Returns: whether the system gave a thread.
    private func begin() -> Bool {
        let context = Unmanaged.passRetained(self)
        var thread = pthread_t()
        guard pthread_create(&thread, nil, runLookUps, context.toOpaque()) == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    fileprivate func run() {
        while let work = next() {
            work.run()
            state.withLock { state in
                let left = state.running[work.organization, default: 1] - 1
                state.running[work.organization] = left > 0 ? left : nil
            }
        }
    }

    /// - Returns: `nil` if nothing waits that may run: the thread ends.
    private func next() -> Work? {
        state.withLock { state in
            let first = state.waiting.firstIndex {
                state.running[$0.organization, default: 0] < limitOfOrganization
            }
            guard let first else {
                state.threads -= 1
                return nil
            }
            let work = state.waiting.remove(at: first)
            state.running[work.organization, default: 0] += 1
            return work
        }
    }
}

private func runLookUps(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<LookUpThreads>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
