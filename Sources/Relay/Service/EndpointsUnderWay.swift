import Synchronization

/// The endpoints that this process delivers to now: to each of them one task does.
///
/// A lease can end while the task that had it still tells what became of its delivery. What is leased anew meanwhile
/// waits for that task to end.
final class EndpointsUnderWay: Sendable {
    /// Guards what is under way, and by endpoint what waits behind it; held to read or change them.
    private let waiting = Mutex<[String: RelayedDelivery?]>([:])

    /// - Returns: whether the caller delivers. If not, the task that does so gets the delivery when it is done.
    func begin(_ delivery: RelayedDelivery) -> Bool {
        waiting.withLock { waiting in
            guard waiting.keys.contains(delivery.endpoint) else {
                waiting.updateValue(nil, forKey: delivery.endpoint)
                return true
            }
            waiting.updateValue(delivery, forKey: delivery.endpoint)
            return false
        }
    }

    /// - Returns: the newest delivery that came meanwhile, which is the caller's then. `nil` when there is none: the
    ///   endpoint is no longer under way.
    func end(_ endpoint: String) -> RelayedDelivery? {
        waiting.withLock { waiting in
            guard let next = waiting[endpoint].flatMap(\.self) else {
                waiting.removeValue(forKey: endpoint)
                return nil
            }
            waiting.updateValue(nil, forKey: endpoint)
            return next
        }
    }
}
