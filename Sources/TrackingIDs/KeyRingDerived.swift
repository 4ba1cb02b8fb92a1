import Synchronization

/// A value that is made from the key ring in force, such as an opener, for use on any thread. It is made again when
/// the ring has changed.
package final class KeyRingDerived<Value>: Sendable {
    private struct State {
        var value: Value
        var version: Int
    }

    private let keys: CurrentKeyRing
    private let make: @Sendable (KeyRing) throws -> sending Value
    /// Guards the value, which two threads must not use at once; held for one use.
    private let state: Mutex<State>

    /// - Parameter make: must not keep the value.
    package init(_ keys: CurrentKeyRing, make: @escaping @Sendable (KeyRing) throws -> sending Value) throws {
        self.keys = keys
        self.make = make
        let version = keys.version
        state = Mutex(State(value: try make(keys.value), version: version))
    }

    /// Gives `body` the value of the ring in force; that of an earlier ring if none can be made of this one.
    ///
    /// - Parameter body: must be quick and must not keep the value: other threads wait for it.
    package func use<Result: Sendable>(_ body: (Value) -> Result) -> Result {
        let version = keys.version
        return state.withLock { state in
            if version != state.version, let fresh = try? make(keys.value) {
                state = State(value: fresh, version: version)
            }
            return body(state.value)
        }
    }
}
