/// How long a reading may take, which decides when it is done.
package enum ReadingLength: Hashable, Sendable {
    /// Some rows, by an index.
    case short
    /// A report, or whatever else may take seconds, for this organization.
    /// - Parameter owner: in turn with other owners; an organization waits for one reading of each other one.
    case long(owner: Int)
}

/// Who gets which connection of a pool, and who waits.
///
/// Long readings have some of the connections and no more, so a short one waits for short ones alone. Owners of long
/// readings take turns, so nobody waits for all that another one has asked for.
package struct ReaderTurns<Use> {
    private let mostLong: Int
    /// The one that was used last is the last one: its cache has most of what is asked for.
    private var idle: [Int]
    private var long = 0
    private var waiting: [Use] = []
    /// Long readings that wait, the oldest of each owner first. None is empty.
    private var queues: [Int: [Use]] = [:]
    /// The owners of queues, in the order of their turns.
    private var owners: [Int] = []

    /// - Parameter mostLong: how many of the connections may be used by long readings at once.
    package init(connections: Int, mostLong: Int) {
        self.mostLong = mostLong
        idle = (0..<connections).reversed()
    }

    /// - Returns: the connection to use; `nil` when `use` must wait for one (``giveBack(_:after:)``).
    package mutating func take(_ length: ReadingLength, _ use: Use) -> Int? {
        switch length {
        case .short:
            if let number = idle.popLast() { return number }
            waiting.append(use)
        case .long(let owner):
            if long < mostLong, let number = idle.popLast() {
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

    /// A connection is free again.
    /// - Returns: who uses it next; `nil` when nobody may.
    package mutating func giveBack(_ number: Int, after length: ReadingLength) -> Use? {
        if case .long = length { long -= 1 }
        if !waiting.isEmpty { return waiting.removeFirst() }
        guard long < mostLong, !owners.isEmpty else {
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
