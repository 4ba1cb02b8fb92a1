import Identifiers
import Synchronization

/// Where this process adds links to messages.
///
/// A database that was put back lacks links that were added since then, and were sent. If one of their indexes were
/// given to another link, the links that were sent would lead to the target of that one. Nothing tells which indexes
/// these are. So a process continues only behind a link that it added itself; to a message that is older than its own
/// writes it adds from a random index on.
final class AddedLinkPlaces: Sendable {
    /// A process that adds to more messages forgets where it was, and begins at other places.
    private static let capacity = 100_000

    struct Place {
        /// The index of the link that this process added last. The write that added it may have failed, or may not be
        /// committed yet.
        let last: LinkIndex
        /// Whether the message has no index left.
        var isFull = false
    }

    private struct State {
        var began: Timestamp?
        var places: [MessageID: Place] = [:]
    }

    private let state = Mutex(State())

    /// Must be called before this process makes its first message and adds its first link.
    /// - Returns: when this process began to do so. Messages that were made since then have lost no links.
    @discardableResult
    func begin(at now: Timestamp) -> Timestamp {
        state.withLock { state in
            let began = state.began ?? now
            state.began = began
            return began
        }
    }

    /// - Returns: `nil` if this process has added nothing to the message.
    func place(in message: MessageID) -> Place? { state.withLock { $0.places[message] } }

    func set(_ place: Place, in message: MessageID) {
        state.withLock { state in
            if state.places.count >= Self.capacity { state.places.removeAll() }
            state.places[message] = place
        }
    }
}
