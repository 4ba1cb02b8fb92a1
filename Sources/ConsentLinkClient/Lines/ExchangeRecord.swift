import Synchronization

/// What is known about an exchange of lines, for the caller to read.
package final class ExchangeRecord: Sendable {
    /// What the service says about all lines of an order.
    package struct TakenOrder: Sendable, Hashable {
        /// The id of the message; `nil` if the service does not state it.
        package let message: String?
        /// Members of the message that the format has no place for.
        package let unsupportedMembers: [String]
    }

    /// Guards the two values below.
    private let state = Mutex((order: TakenOrder?.none, connections: 0))

    package init() {}

    /// Set once the service has accepted the order.
    package var order: TakenOrder? { state.withLock { $0.order } }
    /// How many connections have begun.
    package var connections: Int { state.withLock { $0.connections } }

    func begin() { state.withLock { $0.connections += 1 } }
    func take(_ order: TakenOrder) { state.withLock { $0.order = $0.order ?? order } }
}
