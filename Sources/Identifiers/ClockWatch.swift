/// A step of the wall clock against the monotonic clock.
package struct ClockStep: Hashable, Sendable {
    package enum Direction: Int, Sendable, CaseIterable {
        case ahead
        case back
    }

    package let direction: Direction
    /// Never negative, whatever the direction.
    package let size: Duration

    package init(direction: Direction, size: Duration) {
        self.direction = direction
        self.size = size
    }
}

/// A time in which the wall clock may have been wrong. There is one while service time leads.
package struct ClockFault: Hashable, Sendable {
    /// The greatest lead since it began, rounded up to whole milliseconds.
    package let lead: Duration
    /// The time from which on times may be wrong, by the present wall clock. Before that, the clock was right.
    package let since: Timestamp

    package init(lead: Duration, since: Timestamp) {
        self.lead = lead
        self.since = since
    }
}

/// Detects steps of the wall clock by comparing each reading with the previous one. Readings are in nanoseconds, as in
/// ``ServiceTime``.
///
/// NTP slews both clocks in the same way, so only steps change their difference.
package struct ClockWatch: Sendable {
    /// A smaller change between two readings does not count as a step.
    package static let minimumStep = Duration.seconds(1)

    /// Wall time minus monotonic time.
    private var difference: Int64
    private var maximumLead = Duration.zero
    /// By the monotonic clock: the last step ahead, which may have been wrong, or the time when the watch began.
    private var suspectSince: Int64

    package init(wall: Int64, monotonic: Int64) {
        difference = wall - monotonic
        suspectSince = monotonic
    }

    /// - Parameter lead: the lead of service time.
    /// - Returns: the step since the last reading, if there was one.
    package mutating func observe(wall: Int64, monotonic: Int64, lead: Duration) -> ClockStep? {
        let change = Duration.nanoseconds((wall - monotonic) - difference)
        difference = wall - monotonic
        if change >= Self.minimumStep { suspectSince = monotonic }
        maximumLead = lead > ServiceTime.toleratedLead ? max(maximumLead, lead) : .zero
        let step =
            change > .zero
            ? ClockStep(direction: .ahead, size: change) : ClockStep(direction: .back, size: .zero - change)
        return step.size >= Self.minimumStep ? step : nil
    }

    /// The fault at the time of a reading; `nil` if service time does not lead.
    ///
    /// It begins with the last step ahead, or when the watch began if no step was seen. It never begins later than the
    /// greatest lead before now.
    package func fault(wall: Int64, monotonic: Int64, lead: Duration) -> ClockFault? {
        guard lead > ServiceTime.toleratedLead else { return nil }
        let greatest = max(maximumLead, lead)
        let since = Duration.nanoseconds(wall) - max(.nanoseconds(monotonic - suspectSince), greatest)
        return ClockFault(
            lead: .milliseconds(greatest.wholeMilliseconds + 1),
            since: Timestamp(millisecondsSince1970: since.wholeMilliseconds))
    }
}
