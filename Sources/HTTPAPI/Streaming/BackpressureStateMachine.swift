/// Decides which task waits, between one that gives elements and one that takes them. It is a value and resumes no
/// task: it returns what the driver must resume.
///
/// - Parameters:
///   - Giver: what the driver resumes a waiting giver with.
///   - Taker: what the driver resumes a waiting taker with.
struct BackpressureStateMachine<Element, Giver, Taker> {
    enum GiveAction {
        /// The element was accepted; the giver continues.
        case goOn
        /// The element was accepted, the giver continues, and this taker gets all elements that wait.
        case handOver(to: Taker, [Element])
        /// The giver waits until ``take(_:)`` or the end returns it.
        case wait
        /// The other side has ended the channel: with an error, or `nil` for a normal end, after which nothing can be
        /// given.
        case refuse((any Error)?)
    }

    enum TakeAction {
        /// All elements that wait, and the giver that may continue now.
        case take([Element], resuming: Giver?)
        /// The taker waits until ``give(_:_:)`` or the end returns it.
        case wait
        /// There is nothing more.
        case finish
        case fail(any Error)
    }

    /// The tasks that the end resumes: a taker gets the end, a giver the error.
    struct EndAction {
        var taker: Taker?
        var giver: Giver?
    }

    private enum End {
        case finished
        case failed(any Error)
    }

    /// How many elements may wait while more are given.
    private let backlog: Int
    private var waiting: [Element] = []
    /// Set once. Elements that were given before a normal end are still taken.
    private var end: End?
    private var giver: Giver?
    private var taker: Taker?

    /// - Parameter backlog: with 0 each element is taken before the next is given.
    init(backlog: Int) { self.backlog = backlog }

    mutating func give(_ element: Element, _ waiter: Giver) -> GiveAction {
        switch end {
        case .finished: return .refuse(nil)
        case .failed(let error): return .refuse(error)
        case nil: break
        }
        if let taker = taker.take() { return .handOver(to: taker, [element]) }
        waiting.append(element)
        guard waiting.count > backlog else { return .goOn }
        giver = waiter
        return .wait
    }

    mutating func take(_ waiter: Taker) -> TakeAction {
        if case .failed(let error) = end { return .fail(error) }
        guard waiting.isEmpty else {
            defer { waiting = [] }
            return .take(waiting, resuming: giver.take())
        }
        guard end == nil else { return .finish }
        taker = waiter
        return .wait
    }

    /// All elements that wait, if there are any.
    mutating func takeWaiting() -> (elements: [Element], giver: Giver?) {
        defer { waiting = [] }
        return (waiting, giver.take())
    }

    /// No more elements follow. The giver calls it, so no giver waits.
    mutating func finish() -> EndAction {
        guard end == nil else { return EndAction() }
        end = .finished
        return EndAction(taker: taker.take())
    }

    /// Drops the elements that wait. A second end changes nothing.
    mutating func fail(_ error: any Error) -> EndAction {
        guard end == nil else { return EndAction() }
        end = .failed(error)
        waiting = []
        return EndAction(taker: taker.take(), giver: giver.take())
    }
}
