import Synchronization

/// The endpoints to which this process delivers now, each in one task.
///
/// A lease can end while its task still reports the result of its delivery, and at once when the endpoint is changed. A
/// lease that is got meanwhile waits for that task to end. Its body does not wait: it may name a recipient who is
/// erased meanwhile, so it is dropped and the service renders it again.
final class EndpointsUnderWay: Sendable {
    /// Guards the current endpoints, and the lease that waits for each; held to read or change them.
    private let waiting = Mutex<[String: RelayedLease?]>([:])

    /// - Returns: whether the caller must deliver. If not, the present task of the endpoint gets the lease at its end.
    func begin(_ lease: RelayedLease) -> Bool {
        waiting.withLock { waiting in
            guard waiting.keys.contains(lease.endpoint) else {
                waiting.updateValue(nil, forKey: lease.endpoint)
                return true
            }
            waiting.updateValue(lease, forKey: lease.endpoint)
            return false
        }
    }

    /// - Returns: the newest lease that waits, whose delivery the caller must then get and send. `nil` if there is none:
    ///   the endpoint is then free.
    func end(_ endpoint: String) -> RelayedLease? {
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
