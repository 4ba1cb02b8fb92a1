import Identifiers
import StoragePorts

/// The known faults of the clock, and the part of them that the storage does not have yet. Readings are in nanoseconds,
/// as in ``ServiceTime``.
struct ClockRecord {
    /// A fault is stored with an end that is later by this margin, so that the noise of readings does not store it
    /// again.
    private static let margin = Duration.seconds(1)
    /// A greater step is a leap. The clock is not trusted for the same time after it.
    private static let leap = Duration.days(1)

    private var watch: ClockWatch
    private(set) var faults = ClockFaults()
    private var unsaved = ClockHistory.Change()
    /// Whether there is a fault that ends when service time no longer leads.
    private var isOpen = false
    private var noted: ClockNote?
    /// By the monotonic clock: when the clock last leapt ahead; `nil` if it did not, or is back.
    private var leaptAt: Int64?
    /// `nil` while steps between two processes are not noted.
    private var boot: String?

    init(_ reading: ClockReading) {
        watch = ClockWatch(wall: reading.wall, monotonic: reading.monotonic)
    }

    /// Continues from what is stored.
    /// - Parameters:
    ///   - lead: the lead with which the service begins.
    ///   - boot: of this start of the machine; `nil` if other processes have faults that this one must not end.
    mutating func resume(_ history: ClockHistory, boot: String?, _ reading: ClockReading, lead: Duration) {
        (faults, noted, self.boot, isOpen) = (history.faults, history.note, boot, boot != nil)
        // The time of a server takes the place of the machine's, which is no step of it.
        if boot == nil { watch = ClockWatch(wall: reading.wall, monotonic: reading.monotonic) }
        if let note = history.note, note.boot == boot {
            let change = Duration.nanoseconds(reading.wall - reading.monotonic) - .nanoseconds(note.difference)
            if change > Self.leap { leaptAt = reading.monotonic }
            let found = watch.resume(note, wall: reading.wall, monotonic: reading.monotonic)
            if let found { return add(found) }
        }
        guard lead >= ClockWatch.minimumStep else { return }
        // It is not known when the clock went back. It was ahead by more than the lead: the lead is smaller by the time
        // during which the service was off.
        let start = reading.timestamp
        if !faults.covers(ClockFault(lead: lead, since: start - lead, until: start)) {
            add(ClockFault(lead: lead * 2, since: start - lead, until: start))
        }
    }

    mutating func observe(_ reading: ClockReading, lead: Duration) -> ClockStep? {
        let step = watch.observe(wall: reading.wall, monotonic: reading.monotonic, lead: lead)
        if let step, step.size > Self.leap { leaptAt = step.direction == .ahead ? reading.monotonic : nil }
        // No recipient says yes and then no within a second.
        if lead >= ClockWatch.minimumStep, let present = present(reading, lead: lead) {
            isOpen = true
            if !faults.covers(present) { add(present) }
        } else if lead <= ServiceTime.toleratedLead, isOpen {
            end(at: reading.timestamp.advanced(by: ServiceTime.toleratedLead * 2))
        }
        return step
    }

    /// Whether the clock leapt ahead within the last day, noticed or not.
    func hasLeapt(at reading: ClockReading) -> Bool {
        let change = watch.change(wall: reading.wall, monotonic: reading.monotonic)
        guard change <= Self.leap else { return true }
        guard let leaptAt, change >= .zero - Self.leap else { return false }
        return .nanoseconds(reading.monotonic - leaptAt) < Self.leap
    }

    /// The faults at the time of a reading, noticed or not.
    func faults(at reading: ClockReading, lead: Duration) -> ClockFaults {
        guard let present = present(reading, lead: lead), !faults.covers(present) else { return faults }
        var all = faults
        all.add(present)
        return all
    }

    /// What is to be stored.
    var change: ClockHistory.Change {
        var change = unsaved
        change.note = boot.map { watch.note(boot: $0) }.flatMap { note in noted?.isNear(note) == true ? nil : note }
        return change
    }

    /// - Parameter stored: the faults that are stored now, also those of other processes.
    mutating func wasStored(_ change: ClockHistory.Change, as stored: ClockFaults) {
        if unsaved.endedAt == change.endedAt { unsaved.endedAt = nil }
        if unsaved.faults == change.faults { unsaved.faults = ClockFaults() }
        noted = change.note ?? noted
        faults = stored
        if let end = unsaved.endedAt { faults.end(at: end) }
        faults.add(unsaved.faults)
    }

    private func present(_ reading: ClockReading, lead: Duration) -> ClockFault? {
        watch.fault(wall: reading.wall, monotonic: reading.monotonic, lead: lead)
    }

    private mutating func add(_ fault: ClockFault) {
        let kept = ClockFault(lead: fault.lead, since: fault.since, until: fault.until.advanced(by: Self.margin))
        faults.add(kept)
        unsaved.faults.add(kept)
    }

    private mutating func end(at time: Timestamp) {
        isOpen = false
        guard faults.all.contains(where: { $0.until > time }) else { return }
        faults.end(at: time)
        unsaved.faults.end(at: time)
        unsaved.endedAt = time
    }
}
