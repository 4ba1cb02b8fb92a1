/// A time in which the wall clock may have been wrong. One begins with a lead of service time, and ends with it.
package struct ClockFault: Hashable, Sendable {
    /// The greatest lead since it began, rounded up to whole milliseconds.
    package let lead: Duration
    /// The time from which on times may be wrong, by the right clock. Before that, the clock was right.
    package let since: Timestamp
    /// The time from which on what is recorded is later than all that was recorded during the fault, by the right
    /// clock.
    package let until: Timestamp

    package init(lead: Duration, since: Timestamp, until: Timestamp) {
        self.lead = lead
        self.since = since
        self.until = max(since, until)
    }

    /// Whether this fault states everything that `other` states.
    func covers(_ other: ClockFault) -> Bool {
        since <= other.since && other.until <= until && other.lead <= lead
    }

    func joined(with other: ClockFault) -> ClockFault {
        ClockFault(lead: max(lead, other.lead), since: min(since, other.since), until: max(until, other.until))
    }
}

/// The faults of the clock, as far as they are known. No two of them overlap: such faults are joined.
package struct ClockFaults: Hashable, Sendable {
    /// If there are more, the two that are nearest to each other are joined. The error of that is on the side of a no.
    package static let maximumCount = 256

    /// In the order of time.
    package private(set) var all: [ClockFault] = []

    package init(_ faults: [ClockFault] = []) { for fault in faults { add(fault) } }

    package var isEmpty: Bool { all.isEmpty }

    /// By how much the clock may have been ahead of the right time at `time`; `nil` if it was right.
    package func lead(at time: Timestamp) -> Duration? {
        all.first { $0.since <= time && time <= $0.until }?.lead
    }

    package func covers(_ fault: ClockFault) -> Bool { all.contains { $0.covers(fault) } }

    package mutating func add(_ fault: ClockFault) {
        var joined = fault
        all.removeAll { other in
            guard other.since <= joined.until, joined.since <= other.until else { return false }
            joined = joined.joined(with: other)
            return true
        }
        all.insert(joined, at: all.firstIndex { $0.since > joined.since } ?? all.endIndex)
        if all.count > Self.maximumCount { joinNearest() }
    }

    package mutating func add(_ faults: ClockFaults) {
        for fault in faults.all { add(fault) }
    }

    /// Notes that there is no lead any more at `time`.
    package mutating func end(at time: Timestamp) {
        all = all.map { $0.until > time ? ClockFault(lead: $0.lead, since: $0.since, until: time) : $0 }
    }

    private mutating func joinNearest() {
        func gap(_ index: Int) -> Int64 {
            let (end, start) = (all[index].until.millisecondsSince1970, all[index + 1].since.millisecondsSince1970)
            return start.subtractingReportingOverflow(end).partialValue
        }
        guard let index = (0..<all.count - 1).min(by: { gap($0) < gap($1) }) else { return }
        let second = all.remove(at: index + 1)
        all[index] = all[index].joined(with: second)
    }
}
