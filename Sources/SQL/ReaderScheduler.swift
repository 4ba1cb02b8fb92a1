/// How long a read may take, which decides when it runs.
package enum ReadingLength: Hashable, Sendable {
    /// Some rows, found by an index.
    case short
    /// A report, or another read that may take seconds, for this organization.
    /// - Parameter owner: takes turns with other owners; an organization waits for at most one read of each other one.
    case long(owner: Int)
}

/// Assigns the connections of a pool to reads, and queues the reads that wait.
///
/// Long reads use only some of the connections, so a short read waits for short reads only. Owners of long reads take
/// turns, so no owner waits for all reads that another one has requested.
package struct ReaderScheduler<Use> {
    private let maximumLongCount: Int
    /// The connection that was used last is at the end: its cache has most of the pages that are asked for.
    private var idle: [Int]
    private var long = 0
    private var waiting: [Use] = []
    /// The waiting long reads of each owner, the oldest first. No queue is empty.
    private var queues: [Int: [Use]] = [:]
    /// The owners of queues, in the order of their turns.
    private var owners: [Int] = []

    /// - Parameter maximumLongCount: how many of the connections long reads may use at the same time.
    package init(connections: Int, maximumLongCount: Int) {
        self.maximumLongCount = maximumLongCount
        idle = (0..<connections).reversed()
    }

    /// - Returns: the connection to use; `nil` if `use` must wait for one (``release(_:after:)``).
    package mutating func acquire(_ length: ReadingLength, _ use: Use) -> Int? {
        switch length {
        case .short:
            if let number = idle.popLast() { return number }
            waiting.append(use)
        case .long(let owner):
            if long < maximumLongCount, let number = idle.popLast() {
                long += 1
                return number
            }
            if queues[owner]?.append(use) == nil {
                queues[owner] = [use]
                owners.append(owner)
            }
        }
        return nil
    }

    /// Must be called when a connection is free again.
    /// - Returns: the next use of the connection; `nil` if no read may use it now.
    package mutating func release(_ number: Int, after length: ReadingLength) -> Use? {
        if case .long = length { long -= 1 }
        if !waiting.isEmpty { return waiting.removeFirst() }
        guard long < maximumLongCount, !owners.isEmpty else {
            idle.append(number)
            return nil
        }
        let owner = owners.removeFirst()
        guard let next = queues[owner]?.removeFirst() else { return nil }
        if queues[owner]?.isEmpty == true { queues[owner] = nil } else { owners.append(owner) }
        long += 1
        return next
    }
}
