import Synchronization

/// Hands elements from one task to another, in order, and suspends the giving task when it is too far ahead.
///
/// One task gives and one takes. The giving task ends the channel when there is no more; either task ends it when it
/// fails. ``BackpressureStateMachine`` decides which task waits.
final class BackpressureChannel<Element: Sendable>: Sendable {
    private typealias Giver = CheckedContinuation<Void, any Error>
    private typealias Taker = CheckedContinuation<[Element]?, any Error>

    /// Guards the waiting elements and tasks. A continuation is taken out before it is resumed, so each is resumed
    /// once.
    private let machine: Mutex<BackpressureStateMachine<Element, Giver, Taker>>

    /// - Parameter backlog: how many elements may wait while more are given; with 0 each is taken before the next is
    ///   given.
    init(backlog: Int) { machine = Mutex(BackpressureStateMachine(backlog: backlog)) }

    /// Returns once no more than `backlog` elements wait to be taken.
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

    /// All elements that wait, at least one; `nil` after the last.
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

    /// All elements that wait; an empty array if ``take()`` would wait, end or fail.
    func takeWaiting() -> [Element] {
        let (elements, giver) = machine.withLock { $0.takeWaiting() }
        giver?.resume()
        return elements
    }

    /// No more elements follow.
    func finish() { machine.withLock { $0.finish() }.taker?.resume(returning: nil) }

    /// From now on a task that gives or takes gets the error; elements that still wait are dropped.
    func fail(_ error: any Error) {
        let woken = machine.withLock { $0.fail(error) }
        woken.taker?.resume(throwing: error)
        woken.giver?.resume(throwing: error)
    }
}
