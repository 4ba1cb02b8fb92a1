import Synchronization

/// Hands elements from one task to another, in order, and keeps the one that gives from running ahead.
///
/// One task gives and one takes. Each ends it for both: the one that gives when there is no more, either of them when it
/// fails. ``BackpressureStateMachine`` decides who waits.
final class BackpressureChannel<Element: Sendable>: Sendable {
    private typealias Giver = CheckedContinuation<Void, any Error>
    private typealias Taker = CheckedContinuation<[Element]?, any Error>

    /// Guards what waits and who waits for it. A continuation is taken out before it is resumed, so each once.
    private let machine: Mutex<BackpressureStateMachine<Element, Giver, Taker>>

    /// - Parameter backlog: how many elements may wait while more are given; with 0 each is taken before the next.
    init(backlog: Int) { machine = Mutex(BackpressureStateMachine(backlog: backlog)) }

    /// Returns when no more than the backlog is still to be taken.
    func give(_ element: Element) async throws {
        try await withCheckedThrowingContinuation { (giver: Giver) in
            switch machine.withLock({ $0.give(element, giver) }) {
            case .goOn: giver.resume()
            case .handOver(let taker, let elements):
                taker.resume(returning: elements)
                giver.resume()
            case .wait: break
            case .refuse(let error): giver.resume(throwing: error ?? CancellationError())
            }
        }
    }

    /// All that waits, at least one; `nil` after the last.
    func take() async throws -> [Element]? {
        try await withCheckedThrowingContinuation { (taker: Taker) in
            switch machine.withLock({ $0.take(taker) }) {
            case .take(let elements, let giver):
                taker.resume(returning: elements)
                giver?.resume()
            case .wait: break
            case .finish: taker.resume(returning: nil)
            case .fail(let error): taker.resume(throwing: error)
            }
        }
    }

    /// All that waits; nothing where ``take()`` would wait, end or fail.
    func takeWaiting() -> [Element] {
        let (elements, giver) = machine.withLock { $0.takeWaiting() }
        giver?.resume()
        return elements
    }

    /// After what was given comes nothing more.
    func finish() { machine.withLock { $0.finish() }.taker?.resume(returning: nil) }

    /// A task that gives or takes from now on gets the error; what still waits is dropped.
    func fail(_ error: any Error) {
        let woken = machine.withLock { $0.fail(error) }
        woken.taker?.resume(throwing: error)
        woken.giver?.resume(throwing: error)
    }
}
