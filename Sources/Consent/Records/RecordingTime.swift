package import Identifiers

/// The time at which consent records arrive, and when the service's clock was wrong before.
package struct RecordingTime: Hashable, Sendable {
    package let now: Timestamp
    /// Past ones, too: a no may be reported long after it was said.
    package let faults: ClockFaults

    package init(now: Timestamp, faults: ClockFaults = ClockFaults()) {
        self.now = now
        self.faults = faults
    }
}
