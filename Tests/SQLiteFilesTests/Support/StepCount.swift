import Synchronization

/// Counts the steps of a copy, on whichever thread they are.
final class StepCount: Sendable {
    private let total = Mutex(0)

    var count: Int { total.withLock { $0 } }

    /// Counts one more.
    func next() -> Int {
        total.withLock { total in
            total += 1
            return total
        }
    }
}
