package import Identifiers

/// The time at which consent records arrive, and whether the clock was wrong before it.
package struct RecordingTime: Hashable, Sendable {
    package let now: Timestamp
    /// `nil` while the clock is right, as far as is known.
    package let fault: ClockFault?

    package init(now: Timestamp, fault: ClockFault? = nil) {
        self.now = now
        self.fault = fault
    }
}
