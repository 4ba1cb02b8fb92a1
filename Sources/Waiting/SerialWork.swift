import Synchronization

/// Runs pieces of work one after another if they have the same key, in the order in which they are given. An actor
/// alone does not: it begins the next call while one is suspended.
///
/// It may be used on any thread.
package final class SerialWork<Key: Hashable & Sendable>: Sendable {
    private struct Last {
        let number: UInt64
        /// Returns when the work has ended.
        let end: @Sendable () async -> Void
    }

    private struct Guarded {
        var lasts: [Key: Last] = [:]
        var lastNumber: UInt64 = 0
    }

    /// Guards the last work of each key that has work. Held to add work or to remove it, never across a suspension.
    private let guarded = Mutex(Guarded())

    package init() {}

    /// How many keys have work that has not ended.
    package var keyCount: Int { guarded.withLock { $0.lasts.count } }

    /// Runs `work` once all work of `key` that was given before has ended, also if that failed. Once given, it runs to
    /// its end even if its caller is cancelled.
    ///
    /// - Parameter work: must not wait for other work of the same key.
    /// - Throws: what `work` throws.
    package func run<Value: Sendable>(
        of key: Key, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = guarded.withLock { guarded in
            guarded.lastNumber += 1
            let (number, previous) = (guarded.lastNumber, guarded.lasts[key])
            let task = Task {
                await previous?.end()
                defer { remove(number, of: key) }
                return try await work()
            }
            guarded.lasts[key] = Last(number: number) { _ = await task.result }
            return task
        }
        return try await task.value
    }

    private func remove(_ number: UInt64, of key: Key) {
        guarded.withLock { guarded in
            if guarded.lasts[key]?.number == number { guarded.lasts[key] = nil }
        }
    }
}
