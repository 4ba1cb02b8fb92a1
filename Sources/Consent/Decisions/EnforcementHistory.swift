package import Identifiers

/// Which enforcement of an organization applied at which time.
///
/// An action that was permitted when it happened stays permitted: a stricter rule of today does not affect a click of
/// yesterday.
package struct EnforcementHistory: Hashable, Sendable {
    package struct Change: Hashable, Sendable {
        let enforcement: Enforcement
        let since: Timestamp

        package init(_ enforcement: Enforcement, since: Timestamp) {
            self.enforcement = enforcement
            self.since = since
        }
    }

    private let first: Enforcement
    private let later: [Change]

    /// - Parameter changes: all changes since the organization was made, in the order of time.
    /// - Returns: `nil` if `changes` is empty.
    package init?(_ changes: [Change]) {
        guard let first = changes.first else { return nil }
        self.first = first.enforcement
        later = Array(changes.dropFirst())
    }

    /// The policy at `instant`. In the millisecond of a change, the previous policy still applies. That is safe:
    /// actions that the new policy does not permit were no longer recorded by then.
    package func policy(at instant: Timestamp) -> ConsentPolicy {
        ConsentPolicy(enforcement: later.last { $0.since < instant }?.enforcement ?? first)
    }

    /// Every policy that applied in `span`, in the order of time.
    package func policies(in span: ClosedRange<Timestamp>) -> [ConsentPolicy] {
        let changes = later.lazy.filter { $0.since >= span.lowerBound && $0.since < span.upperBound }
        return [policy(at: span.lowerBound)] + changes.map { ConsentPolicy(enforcement: $0.enforcement) }
    }
}
