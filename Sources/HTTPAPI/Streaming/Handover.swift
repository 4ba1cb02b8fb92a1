import Synchronization

/// Hands elements from one task to another, in order, and keeps the one that gives from running ahead.
///
/// One task gives and one takes. Each ends it for both: the one that gives when there is no more, either of them when it
/// fails.
final class Handover<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        /// Set once; what was given before is still taken, unless it ended with an error.
        var end: Result<Void, any Error>?
        var giver: CheckedContinuation<Void, any Error>?
        var taker: CheckedContinuation<[Element]?, any Error>?
    }

    /// Guards what waits and who waits for it. A continuation is taken out before it is resumed, so each once.
    private let state = Mutex(State())
    private let backlog: Int

    /// - Parameter backlog: how many elements may wait while more are given; with 0 each is taken before the next.
    init(backlog: Int) { self.backlog = backlog }

    /// Returns when no more than the backlog is still to be taken.
    func give(_ element: Element) async throws {
        try await withCheckedThrowingContinuation { (giver: CheckedContinuation<Void, any Error>) in
            state.withLock { state in
                if let end = state.end {
                    giver.resume(with: end.flatMap { .failure(CancellationError()) })
                } else if let taker = state.taker {
                    state.taker = nil
                    taker.resume(returning: [element])
                    giver.resume()
                } else {
                    state.waiting.append(element)
                    if state.waiting.count > backlog { state.giver = giver } else { giver.resume() }
                }
            }
        }
    }

    /// All that waits, at least one; `nil` after the last.
    func take() async throws -> [Element]? {
        try await withCheckedThrowingContinuation { (taker: CheckedContinuation<[Element]?, any Error>) in
            state.withLock { state in
                if case .failure(let error) = state.end { return taker.resume(throwing: error) }
                if state.waiting.isEmpty {
                    guard state.end == nil else { return taker.resume(returning: nil) }
                    state.taker = taker
                    return
                }
                taker.resume(returning: state.waiting)
                state.waiting = []
                state.giver.take()?.resume()
            }
        }
    }

    /// After what was given comes nothing more.
    func finish() { end(.success(())) }

    /// Whoever gives or takes from now on gets the error; what still waits is dropped.
    func fail(_ error: any Error) { end(.failure(error)) }

    private func end(_ end: Result<Void, any Error>) {
        state.withLock { state in
            guard state.end == nil else { return }
            state.end = end
            if case .failure = end { state.waiting = [] }
            state.taker.take()?.resume(with: end.map { nil })
            if case .failure(let error) = end { state.giver.take()?.resume(throwing: error) }
        }
    }
}
