import Synchronization

/// The endpoints to which this process delivers now, each in one task.
///
/// A lease can end while its task still reports the result of its delivery. A delivery that is leased meanwhile waits
/// for that task to end.
final class EndpointsUnderWay: Sendable {
    /// Guards the current endpoints, and the delivery that waits for each; held to read or change them.
    private let waiting = Mutex<[String: RelayedDelivery?]>([:])

    /// - Returns: whether the caller must deliver. If not, the present task of the endpoint gets the delivery at its
    ///   end.
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

    /// - Returns: the newest delivery that waits, which the caller must then deliver. `nil` if there is none: the
    ///   endpoint is then free.
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
