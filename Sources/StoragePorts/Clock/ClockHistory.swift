package import Identifiers

/// What a storage knows of the clocks by which its times were made.
package struct ClockHistory: Hashable, Sendable {
    package let faults: ClockFaults
    /// `nil` if no process noted one, and in a storage that several processes share.
    package let note: ClockNote?

    package init(faults: ClockFaults = ClockFaults(), note: ClockNote? = nil) {
        self.faults = faults
        self.note = note
    }

    /// What is to be stored.
    package struct Change: Hashable, Sendable {
        /// Since when there is no lead any more; `nil` if none ended.
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
