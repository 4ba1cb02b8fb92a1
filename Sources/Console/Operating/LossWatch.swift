package import Identifiers
package import Interactions

/// Whether clicks are redirected without a record, since when, and how many.
///
/// Clicks beyond an organization's quota or the rate of one link are no loss: the settings exclude them.
package struct LossWatch: Sendable {
    /// A loss is over when nothing was lost for this long and the next click would be recorded.
    private static let quiet = Duration.seconds(10)
    private static let intended: Set<UnrecordedReason> = [.quota, .rate]

    package struct Loss: Hashable, Sendable {
        /// When it was first seen: at most a second after it began.
        package let since: Timestamp
        fileprivate(set) var until: Timestamp
        package fileprivate(set) var clicks: UInt64
        /// The reason that was seen last.
        package fileprivate(set) var reason: UnrecordedReason
    }

    /// The current loss, or the last one; `nil` before the first.
    package private(set) var loss: Loss?
    private(set) var isGoingOn = false
    private var counts: [UnrecordedReason: UInt64]?

    package init() {}

    package mutating func add(_ sample: ActivitySample, at now: Timestamp) {
        var (lost, reason): (UInt64, UnrecordedReason?) = (0, nil)
        for (which, count) in sample.unrecorded where !Self.intended.contains(which) {
            let before = counts?[which] ?? 0
            guard count > before else { continue }
            lost += count - before
            reason = which
        }
        counts = sample.unrecorded
        if let reason = sample.refusal ?? reason {
            if !isGoingOn { loss = Loss(since: now, until: now, clicks: 0, reason: reason) }
            isGoingOn = true
            loss?.until = now
            loss?.clicks += lost
            loss?.reason = reason
        } else if isGoingOn, let until = loss?.until {
            isGoingOn = now >= until && now < until.advanced(by: Self.quiet)
        }
    }
}
