package import Identifiers

/// Whether the clock may be believed enough to delete by it. A clock that is years ahead would delete everything.
///
/// Purging is held when the clock has gone ahead by more than a day since the round before, or by more than a year since
/// the service was last running. It goes on when the clock is back where it was, or after a day at the new time: long
/// enough for an operator to act on the alert. A restart does not lengthen that day.
package struct RetentionHold: Hashable, Sendable {
    private static let day = Duration.seconds(86_400)
    /// Between two rounds, which are a minute apart.
    package static let greatestGap = day
    /// While the service did not run.
    package static let greatestAbsence = day * 366
    /// How long the clock must go on by itself before purging is permitted again.
    package static let patience = day

    /// The last time at which purging was permitted.
    package private(set) var trusted: Timestamp
    /// `nil` while purging is permitted.
    package private(set) var heldSince: Timestamp?
    /// When the clock was last looked at.
    package private(set) var seen: Timestamp

    /// For the start of the service. A hold goes on where it was, also over a restart: a service that is restarted every
    /// day would otherwise never delete anything again. Where the clock has gone on by more than a day since it was last
    /// looked at, ``mayPurge(at:)`` begins the hold anew.
    /// - Parameters:
    ///   - trusted: as it was stored; `nil` when nothing was ever stored.
    ///   - wasHeld: whether the service ended during a hold.
    ///   - since: since when there was that hold; `nil` where that is not known.
    ///   - seen: when the clock was last looked at during that hold.
    package init(
        trusted: Timestamp?, wasHeld: Bool, since: Timestamp? = nil, seen: Timestamp? = nil, at now: Timestamp
    ) {
        let isHeld = wasHeld || (trusted.map { now > $0.advanced(by: Self.greatestAbsence) } ?? false)
        self.trusted = isHeld ? trusted ?? now : now
        if wasHeld, let since, let seen {
            heldSince = since
            self.seen = seen
        } else {
            heldSince = isHeld ? now : nil
            self.seen = now
        }
    }

    /// Whether what is older than an organization keeps may be deleted at `now`. To be asked before every round.
    package mutating func mayPurge(at now: Timestamp) -> Bool {
        defer { seen = now }
        let isNearTrusted = now <= trusted.advanced(by: Self.greatestGap)
        if let since = heldSince, !isNearTrusted {
            let hasSteppedAgain = now < since || now > seen.advanced(by: Self.greatestGap)
            if hasSteppedAgain { heldSince = now }
            guard !hasSteppedAgain, now >= since.advanced(by: Self.patience) else { return false }
        } else if !isNearTrusted {
            heldSince = now
            return false
        }
        heldSince = nil
        trusted = now
        return true
    }
}
