package import Identifiers

/// What a storage knows about the clocks from which its times come.
package struct ClockHistory: Hashable, Sendable {
    package let faults: ClockFaults
    /// `nil` if no process noted one, and in a storage that several processes share.
    package let note: ClockNote?

    package init(faults: ClockFaults = ClockFaults(), note: ClockNote? = nil) {
        self.faults = faults
        self.note = note
    }

    /// A change that is to be stored.
    package struct Change: Hashable, Sendable {
        /// The time at which a lead ended; `nil` if none ended.
        package var endedAt: Timestamp?
        /// Faults that began, or grew, after that.
        package var faults: ClockFaults
        package var note: ClockNote?

        package var isEmpty: Bool { endedAt == nil && faults.isEmpty && note == nil }

        package init(endedAt: Timestamp? = nil, faults: ClockFaults = ClockFaults(), note: ClockNote? = nil) {
            self.endedAt = endedAt
            self.faults = faults
            self.note = note
        }
    }
}
