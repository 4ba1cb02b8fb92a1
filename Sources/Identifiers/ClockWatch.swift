/// A step of the wall clock against the monotonic clock.
package struct ClockStep: Hashable, Sendable {
    package enum Direction: Int, Sendable, CaseIterable {
        case ahead
        case back
    }

    package let direction: Direction
    /// Never negative, in either direction.
    package let size: Duration

    package init(direction: Direction, size: Duration) {
        self.direction = direction
        self.size = size
    }
}

/// What the next process on the same start of the machine must know to see a step that comes while no process watches.
/// In nanoseconds, as in ``ServiceTime``.
package struct ClockNote: Hashable, Sendable {
    /// Differs between starts of the machine. Never empty.
    package let boot: String
    /// Wall time minus monotonic time.
    package let difference: Int64
    /// By the monotonic clock: the last step ahead, or when the first process began.
    package let suspectSince: Int64

    package init(boot: String, difference: Int64, suspectSince: Int64) {
        self.boot = boot
        self.difference = difference
        self.suspectSince = suspectSince
    }

    /// By how much the wall clock stepped since `other`. Both may be any numbers, because they are stored.
    package func change(since other: ClockNote) -> Duration {
        .nanoseconds(difference) - .nanoseconds(other.difference)
    }

    /// Whether it differs from `other` by no step.
    package func isNear(_ other: ClockNote) -> Bool {
        let change = change(since: other)
        return boot == other.boot && suspectSince == other.suspectSince
            && max(change, .zero - change) < ClockWatch.minimumStep
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
        let change = change(wall: wall, monotonic: monotonic)
        difference = wall - monotonic
        // While there is a lead, a further step ahead is a correction that does not end it. What was recorded before
        // may still be wrong.
        if change >= Self.minimumStep, lead <= ServiceTime.toleratedLead { suspectSince = monotonic }
        maximumLead = lead > ServiceTime.toleratedLead ? max(maximumLead, lead) : .zero
        let step =
            change > .zero
            ? ClockStep(direction: .ahead, size: change) : ClockStep(direction: .back, size: .zero - change)
        return step.size >= Self.minimumStep ? step : nil
    }

    /// By how much the wall clock stepped since the last reading; negative if it stepped back.
    package func change(wall: Int64, monotonic: Int64) -> Duration {
        .nanoseconds((wall - monotonic) - difference)
    }

    /// Continues from what an earlier process noted on the same start of the machine.
    /// - Returns: the fault that is told by a step back since then.
    package mutating func resume(_ note: ClockNote, wall: Int64, monotonic: Int64) -> ClockFault? {
        let change = self.note(boot: note.boot).change(since: note)
        suspectSince = change >= Self.minimumStep ? suspectSince : min(note.suspectSince, suspectSince)
        guard .zero - change >= Self.minimumStep else { return nil }
        return fault(of: .zero - change, wall: wall, monotonic: monotonic, until: wall)
    }

    /// For the next process on the same start of the machine.
    package func note(boot: String) -> ClockNote {
        ClockNote(boot: boot, difference: difference, suspectSince: suspectSince)
    }

    /// The fault at the time of a reading; `nil` if service time does not lead.
    ///
    /// It begins with the last step ahead, or when the watch began if no step was seen. It never begins later than the
    /// greatest lead before now. It ends when the lead is worked off at half pace, if the wall clock does not step.
    package func fault(wall: Int64, monotonic: Int64, lead: Duration) -> ClockFault? {
        guard lead > ServiceTime.toleratedLead else { return nil }
        let rest = min(lead.wholeMilliseconds + 1, Int64.max / 2_000_000) * 2_000_000
        let end = wall.addingReportingOverflow(rest)
        return fault(
            of: max(maximumLead, lead), wall: wall, monotonic: monotonic,
            until: end.overflow ? .max : end.partialValue)
    }

    private func fault(of lead: Duration, wall: Int64, monotonic: Int64, until: Int64) -> ClockFault {
        let since = Duration.nanoseconds(wall) - max(.nanoseconds(monotonic) - .nanoseconds(suspectSince), lead)
        return ClockFault(
            lead: .milliseconds(lead.wholeMilliseconds + 1),
            since: Timestamp(millisecondsSince1970: since.wholeMilliseconds),
            until: Timestamp(millisecondsSince1970: until / 1_000_000 + 1))
    }
}
