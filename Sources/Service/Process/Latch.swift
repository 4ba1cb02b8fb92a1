import Waiting

/// Opens once, and then resumes all tasks that wait for it.
final class Latch: Sendable {
    private let condition = Condition(false) { (isOpen: Bool, _: Void) in isOpen ? () : nil }

    var isOpen: Bool { condition.state }

    func open() { condition.change { $0 = true } }

    /// Waits until it is open.
    ///
    /// - Returns: `false` if the task was cancelled before that.
    func wait() async -> Bool { await condition.wait(for: ()) != nil }
}
