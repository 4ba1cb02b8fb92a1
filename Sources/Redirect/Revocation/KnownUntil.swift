package import Identifiers
import Synchronization

/// Until when a node knows every change of the rules that was acknowledged on any node, by the service's clock.
///
/// Clicks read it, so it is one atomic number.
package final class KnownUntil: Sendable {
    /// In milliseconds since 1970.
    private let end: Atomic<Int64>

    /// - Parameter end: the distant future for a service that shares its storage with no other.
    package init(_ end: Timestamp = .distantFuture) { self.end = Atomic(end.millisecondsSince1970) }

    /// Must be called after the changes were applied.
    package func extend(to end: Timestamp) { self.end.max(end.millisecondsSince1970, ordering: .releasing) }

    func covers(_ time: Timestamp) -> Bool { time.millisecondsSince1970 < end.load(ordering: .acquiring) }
}
