import Synchronization

/// Lets a few requests of each address run at once. Others of the same address wait behind them; other addresses are
/// not affected.
final class AddressLimiter: Sendable {
    private struct Queue {
        var underWay = 0
        /// In the order of arrival; each is resumed with whether it may run.
        var waiting: [CheckedContinuation<Bool, Never>] = []
    }

    private let maximumConcurrentCount: Int
    private let maximumWaitingCount: Int
    /// Guards the queues of addresses with a running request.
    private let queues = Mutex<[String: Queue]>([:])

    /// - Parameters:
    ///   - maximumConcurrentCount: how many requests of one address run at once.
    ///   - maximumWaitingCount: how many of one address wait. Further ones are refused.
    init(maximumConcurrentCount: Int, maximumWaitingCount: Int) {
        self.maximumConcurrentCount = maximumConcurrentCount
        self.maximumWaitingCount = maximumWaitingCount
    }

    /// Waits until the request may run. It ends with ``release(_:)``.
    /// - Returns: whether it may run; `false` if too many requests wait already.
    func acquire(_ address: String) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = queues.withLock { queues in
                var queue = queues[address] ?? Queue()
                defer { queues[address] = queue }
                if queue.underWay < maximumConcurrentCount {
                    queue.underWay += 1
                    return true
                }
                guard queue.waiting.count < maximumWaitingCount else { return false }
                queue.waiting.append(continuation)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Lets the request that has waited longest run.
    func release(_ address: String) {
        let next: CheckedContinuation<Bool, Never>? = queues.withLock { queues in
            guard var queue = queues[address] else { return nil }
            guard queue.waiting.isEmpty else {
                let next = queue.waiting.removeFirst()
                queues[address] = queue
                return next
            }
            queue.underWay -= 1
            queues[address] = queue.underWay > 0 ? queue : nil
            return nil
        }
        next?.resume(returning: true)
    }

    /// How many requests of an address wait. For tests.
    func waiting(_ address: String) -> Int { queues.withLock { $0[address]?.waiting.count ?? 0 } }
}
