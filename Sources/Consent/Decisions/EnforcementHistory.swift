package import Identifiers

/// Which enforcement of an organization applied when.
///
/// What was permitted when it happened stays permitted: a stricter rule of today takes back no click of yesterday.
package struct EnforcementHistory: Hashable, Sendable {
    package struct Change: Hashable, Sendable {
        package let enforcement: Enforcement
        package let since: Timestamp

        package init(_ enforcement: Enforcement, since: Timestamp) {
            self.enforcement = enforcement
            self.since = since
        }
    }

    private let first: Enforcement
    private let later: [Change]

    /// - Parameter changes: from the making of the organization on, in order of time.
    /// - Returns: `nil` when there is none.
    package init?(_ changes: [Change]) {
        guard let first = changes.first else { return nil }
        self.first = first.enforcement
        later = Array(changes.dropFirst())
    }

    /// The policy at `instant`. In the millisecond of a change itself the one before still applies: what the new one
    /// does not permit was not recorded any more by then.
    package func policy(at instant: Timestamp) -> ConsentPolicy {
        ConsentPolicy(enforcement: later.last { $0.since < instant }?.enforcement ?? first)
    }
}
