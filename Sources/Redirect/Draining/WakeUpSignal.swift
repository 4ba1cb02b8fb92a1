import Waiting

/// Wakes the task that waits for it. Signals that arrive while no task waits count as one.
///
/// Only one task may wait at a time.
package final class WakeUpSignal: Sendable {
    /// Whether there was a signal since the last wait.
    private let isRaised = Condition(false) { (isRaised: Bool, _: Void) in isRaised ? () : nil }

    package init() {}

    package func raise() { isRaised.change { $0 = true } }

    /// Returns when there was a signal since the last wait, when the task is cancelled, or after `limit`.
    func wait(atMost limit: Duration? = nil) async {
        guard await isRaised.wait(for: (), atMost: limit) != nil else { return }
        // A signal that came since then is one with this: the caller has not begun to look yet.
        isRaised.change { $0 = false }
    }
}
