import Synchronization

/// The names that a table may have: a name that is not among them is not in the table. For a table to which only this
/// process adds names.
///
/// It has hashes, which take about 16 bytes for each name, and keeps a name that was added in a transaction that was
/// rolled back. So it may have a name that the table does not have.
package final class KnownNames: Sendable {
    private struct State {
        var hashes: Set<Int> = []
        /// The rows with smaller numbers are known.
        var next = Int64.min
    }

    private let state = Mutex(State())

    package init() {}

    /// The number of the first row that may not be known yet.
    package var next: Int64 { state.withLock { $0.next } }

    package func mayHave(_ name: String) -> Bool {
        let hash = name.hashValue
        return state.withLock { $0.hashes.contains(hash) }
    }

    /// Must be called for a new row before its transaction is committed.
    package func add(_ name: String, number: Int64) {
        let hash = name.hashValue
        state.withLock { state in
            state.hashes.insert(hash)
            // Before the first reading, the rows with smaller numbers are not known.
            if state.next > .min { state.next = max(state.next, Self.following(number)) }
        }
    }

    /// Adds the rows from ``next`` on.
    /// - Parameters:
    ///   - hashes: of their names (`String.hashValue`).
    ///   - last: the greatest number; `nil` if there is no row.
    package func add(_ hashes: [Int], through last: Int64?) {
        state.withLock { state in
            state.hashes.formUnion(hashes)
            state.next = max(state.next, last.map(Self.following) ?? 0)
        }
    }

    private static func following(_ number: Int64) -> Int64 { number == .max ? .max : number + 1 }
}
