package import Identifiers

/// Decides whether the clock can be trusted for deleting. A clock that is years ahead would delete everything.
///
/// Deleting is held when the clock went ahead by more than a day since the last round, or by more than a year since the
/// service last ran. The hold ends when the clock is back, or after a day at the new time, which is long enough for an
/// operator to act on the alert. A restart does not prolong that day.
package struct RetentionHold: Hashable, Sendable {
    /// The greatest step between two rounds, which are a minute apart.
    package static let maximumGap = Duration.days(1)
    /// The greatest step while the service did not run.
    package static let maximumAbsence = Duration.days(366)
    /// How long the clock must run without a further step before deleting is permitted again.
    package static let duration = Duration.days(1)

    /// The last time at which deleting was permitted.
    package private(set) var trusted: Timestamp
    /// `nil` if deleting is permitted.
    package private(set) var heldSince: Timestamp?
    /// When the clock was last checked.
    package private(set) var seen: Timestamp
    /// Since when the clock has been behind ``trusted`` by more than ``maximumGap``.
    private var behindSince: Timestamp?
    /// Since when the service runs after an absence of more than ``maximumGap``, for a day.
    private var returned: Timestamp?

    /// Whether requests with an `Idempotency-Key` may be deleted that are older than what their callers were promised
    /// and ``maximumGap``. Not for a day after an absence: a clock that is ahead at a start is believed otherwise, and
    /// a repeated request would have its effect again. To be read after ``mayPurge(at:)``.
    package var mayForgetRequests: Bool { heldSince == nil && returned == nil }

    /// For the start of the service. A hold continues where it was, also after a restart: otherwise a service that is
    /// restarted every day would never delete anything again. If the clock went ahead by more than a day since it was
    /// last checked, ``mayPurge(at:)`` begins the hold again.
    /// - Parameters:
    ///   - trusted: the stored value; `nil` if none was ever stored.
    ///   - wasHeld: whether the service ended during a hold.
    ///   - since: the beginning of that hold; `nil` if it is not known.
    ///   - seen: when the clock was last checked during that hold.
    package init(
        trusted: Timestamp?, wasHeld: Bool, since: Timestamp? = nil, seen: Timestamp? = nil, at now: Timestamp
    ) {
        let isHeld = wasHeld || (trusted.map { now > $0.advanced(by: Self.maximumAbsence) } ?? false)
        let wasAbsent = trusted.map { now > $0.advanced(by: Self.maximumGap) } ?? false
        returned = wasAbsent ? now : nil
        // A clock that is behind may be corrected within minutes, as on a machine that has none while it is off.
        let isBehind = trusted.map { now < $0 - Self.maximumGap } ?? false
        self.trusted = isHeld || isBehind ? trusted ?? now : now
        if wasHeld, let since, let seen {
            heldSince = since
            self.seen = seen
        } else {
            heldSince = isHeld ? now : nil
            self.seen = now
        }
    }

    /// Whether data that is older than an organization's retention may be deleted at `now`. Must be called before every
    /// round.
    package mutating func mayPurge(at now: Timestamp) -> Bool {
        guard !isBehind(at: now) else { return heldSince == nil }
        defer { seen = now }
        if let returned, now < returned || now >= returned.advanced(by: Self.duration) {
            self.returned = now < returned ? now : nil
        }
        let isNearTrusted = now <= trusted.advanced(by: Self.maximumGap)
        if let since = heldSince, !isNearTrusted {
            let hasSteppedAgain = now < since || now > seen.advanced(by: Self.maximumGap)
            if hasSteppedAgain { heldSince = now }
            guard !hasSteppedAgain, now >= since.advanced(by: Self.duration) else { return false }
        } else if !isNearTrusted {
            heldSince = now
            return false
        }
        heldSince = nil
        trusted = now
        return true
    }

    /// Whether the clock is behind the trusted time by more than ``maximumGap``, for less than a day. Such a clock
    /// deletes too little, and a hold that it ended would begin again with the correction: a machine that begins every
    /// day with such a clock would never delete. After a day, the clock counts as right.
    private mutating func isBehind(at now: Timestamp) -> Bool {
        guard now < trusted - Self.maximumGap else {
            behindSince = nil
            return false
        }
        let since = behindSince.map { min($0, now) } ?? now
        behindSince = since
        guard now >= since.advanced(by: Self.duration) else { return true }
        (behindSince, returned, heldSince, trusted) = (nil, nil, nil, now)
        return false
    }
}
