import Synchronization

/// Lets a few requests of each address be under way at once. Others of the same address wait behind them, and hold up
/// nobody elsewhere.
final class AddressTurns: Sendable {
    private struct Line {
        var underWay = 0
        /// In the order in which they came; each is told whether it has its turn.
        var waiting: [CheckedContinuation<Bool, Never>] = []
    }

    private let mostUnderWay: Int
    private let mostWaiting: Int
    /// Guards the lines of addresses that have a request under way.
    private let lines = Mutex<[String: Line]>([:])

    /// - Parameters:
    ///   - mostUnderWay: of one address at once.
    ///   - mostWaiting: of one address. One more has no turn.
    init(mostUnderWay: Int, mostWaiting: Int) {
        self.mostUnderWay = mostUnderWay
        self.mostWaiting = mostWaiting
    }

    /// Waits for its turn, which lasts until ``end(_:)``.
    /// - Returns: whether it has one; `false` where too many wait already.
    func begin(_ address: String) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = lines.withLock { lines in
                var line = lines[address] ?? Line()
                defer { lines[address] = line }
                if line.underWay < mostUnderWay {
                    line.underWay += 1
                    return true
                }
                guard line.waiting.count < mostWaiting else { return false }
                line.waiting.append(continuation)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Gives the turn to the one that has waited for the longest time.
    func end(_ address: String) {
        let next: CheckedContinuation<Bool, Never>? = lines.withLock { lines in
            guard var line = lines[address] else { return nil }
            guard line.waiting.isEmpty else {
                let next = line.waiting.removeFirst()
                lines[address] = line
                return next
            }
            line.underWay -= 1
            lines[address] = line.underWay > 0 ? line : nil
            return nil
        }
        next?.resume(returning: true)
    }

    /// How many of an address have no turn yet.
    func waiting(_ address: String) -> Int { lines.withLock { $0[address]?.waiting.count ?? 0 } }
}
