import Synchronization

/// A value that one task notes and another looks at.
package final class Note<Value: Sendable>: Sendable {
    private let held: Mutex<Value>

    package init(_ value: Value) { held = Mutex(value) }

    package var value: Value {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}
