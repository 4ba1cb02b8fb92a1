/// A step of the wall clock against the monotonic clock.
package struct ClockStep: Hashable, Sendable {
    package enum Direction: Int, Sendable, CaseIterable {
        case ahead
        case back
    }

    package let direction: Direction
    package let milliseconds: Int64

    package init(direction: Direction, milliseconds: Int64) {
        self.direction = direction
        self.milliseconds = milliseconds
    }
}

/// A time in which the wall clock may have been wrong. There is one as long as service time leads.
package struct ClockFault: Hashable, Sendable {
    /// The greatest lead since it began, in milliseconds.
    package let milliseconds: Int64
    /// From when on times may be wrong, by the wall clock of now. Before, the clock was right.
    package let since: Timestamp

    package init(milliseconds: Int64, since: Timestamp) {
        self.milliseconds = milliseconds
        self.since = since
    }
}

/// Notices steps of the wall clock by comparing each reading with the one before. Readings are in nanoseconds, as in
/// ``ServiceTime``.
///
/// Both clocks are disciplined alike by NTP while it slews, so their difference changes by steps alone.
package struct ClockWatch: Sendable {
    /// A smaller change between two readings is no step.
    package static let smallestStep: Int64 = 1_000_000_000

    /// Wall time less monotonic time.
    private var difference: Int64
    private var greatestLead: Int64 = 0
    /// By the monotonic clock: the last step ahead, which may have been wrong, or when the watch began.
    private var suspectSince: Int64

    package init(wall: Int64, monotonic: Int64) {
        difference = wall - monotonic
        suspectSince = monotonic
    }

    /// - Parameter lead: of service time, in nanoseconds.
    /// - Returns: the step that happened since the last reading, if one did.
    package mutating func observe(wall: Int64, monotonic: Int64, lead: Int64) -> ClockStep? {
        let change = (wall - monotonic) - difference
        difference = wall - monotonic
        if change >= Self.smallestStep { suspectSince = monotonic }
        greatestLead = lead > ServiceTime.toleratedLead ? max(greatestLead, lead) : 0
        guard change.magnitude >= Self.smallestStep.magnitude else { return nil }
        return ClockStep(
            direction: change > 0 ? .ahead : .back, milliseconds: Int64(clamping: change.magnitude) / 1_000_000)
    }

    /// The fault as of a reading; `nil` when service time does not lead.
    ///
    /// It begins with the last step ahead, or where none was seen, when the watch began. It never begins later than the
    /// greatest lead before now.
    package func fault(wall: Int64, monotonic: Int64, lead: Int64) -> ClockFault? {
        guard lead > ServiceTime.toleratedLead else { return nil }
        let greatest = max(greatestLead, lead)
        let since = wall - max(monotonic - suspectSince, greatest)
        return ClockFault(
            milliseconds: greatest / 1_000_000 + 1, since: Timestamp(millisecondsSince1970: since / 1_000_000))
    }
}
