package import Identifiers

/// The time at which consent records arrive, and whether the service's clock was wrong before.
package struct RecordingTime: Hashable, Sendable {
    package let now: Timestamp
    /// `nil` if the clock is right, as far as is known.
    package let fault: ClockFault?

    package init(now: Timestamp, fault: ClockFault? = nil) {
        self.now = now
        self.fault = fault
    }
}
