/// Lets a backup be made between two erasures, even if erasures come faster than backups are made. The backup holds new
/// erasures back for a while, and begins when the running ones have ended.
package actor ErasureGate {
    private var underWay = 0
    /// The number of the holding; `nil` if no backup holds erasures back.
    private var holding: UInt64?
    private var holdings: UInt64 = 0
    private var erasures: [CheckedContinuation<Void, Never>] = []
    private var holder: CheckedContinuation<Void, Never>?

    package init() {}

    /// For tests.
    var isHolding: Bool { holding != nil }

    /// Runs an erasure when no backup holds it back.
    func erasing<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value {
        await begin()
        do {
            let value = try await body()
            await end()
            return value
        } catch {
            await end()
            throw error
        }
    }

    /// Runs `body` while erasures are held back, for at most `longest`.
    package func holding<Value>(
        for longest: Duration, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value {
        let number = await hold(for: longest)
        do {
            let value = try await body()
            await release(number)
            return value
        } catch {
            await release(number)
            throw error
        }
    }

    /// Must be called before each erasure; waits while a backup holds erasures back. Ends with ``end()``.
    func begin() async {
        while holding != nil { await withCheckedContinuation { erasures.append($0) } }
        underWay += 1
    }

    func end() {
        underWay -= 1
        if underWay == 0 { wakeHolder() }
    }

    /// Holds erasures back until ``release(_:)``, for at most `longest`. Returns when no erasure is running, or when
    /// that time is over.
    func hold(for longest: Duration) async -> UInt64 {
        holdings += 1
        let number = holdings
        holding = number
        Task {
            try? await Task.sleep(for: longest)
            release(number)
        }
        if underWay > 0 { await withCheckedContinuation { holder = $0 } }
        return number
    }

    func release(_ number: UInt64) {
        guard holding == number else { return }
        holding = nil
        wakeHolder()
        let waiting = erasures
        erasures = []
        for erasure in waiting { erasure.resume() }
    }

    private func wakeHolder() {
        holder?.resume()
        holder = nil
    }
}
