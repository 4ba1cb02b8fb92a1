import Synchronization

/// What became known of an exchange of lines, for those who watch it.
package final class ExchangeRecord: Sendable {
    /// What the service says of all lines of an order.
    package struct TakenOrder: Sendable, Hashable {
        /// The id of the message; `nil` where the service does not say.
        package let message: String?
        /// Members of the message that the format has no place for.
        package let unsupportedMembers: [String]
    }

    /// Guards the two values below.
    private let state = Mutex((order: TakenOrder?.none, connections: 0))

    package init() {}

    /// Once the service has taken the order.
    package var order: TakenOrder? { state.withLock { $0.order } }
    /// How many connections were begun.
    package var connections: Int { state.withLock { $0.connections } }

    func begin() { state.withLock { $0.connections += 1 } }
    func take(_ order: TakenOrder) { state.withLock { $0.order = $0.order ?? order } }
}
