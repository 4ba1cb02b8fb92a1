import Identifiers
import Synchronization

/// Whether the clock is trusted for what cannot be undone. Deleting by age has its own, stricter rule
/// (`RetentionHold`), which is a part of this one.
final class ClockTrust: Sendable {
    private let clock: ServiceClock
    private let isHeld: Atomic<Bool>

    /// - Parameter isHeld: whether retention is held.
    init(_ clock: ServiceClock, isHeld: Bool = false) {
        self.clock = clock
        self.isHeld = Atomic(isHeld)
    }

    /// Notes whether retention is held.
    func note(isHeld: Bool) { self.isHeld.store(isHeld, ordering: .relaxed) }

    /// The earliest possible real time now; `nil` while retention is held, and for a day after the clock went ahead by
    /// more than a day, unless it is back.
    var earliest: Timestamp? { isHeld.load(ordering: .relaxed) || clock.hasLeapt ? nil : clock.earliest }

    /// A time that has certainly passed: while the clock is not trusted, no pause counts as over.
    var passed: Timestamp { earliest ?? .distantPast }
}
