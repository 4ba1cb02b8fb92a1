import NIOCore
import Synchronization

/// Knows when a listening socket and all connections that were accepted from it are closed.
final class OpenSockets: Sendable {
    private let count = Atomic<Int>(0)
    private let ended: @Sendable () -> Void

    /// - Parameter ended: called once, with the last socket that is closed. The listening socket counts, too, so it
    ///   must be the first that is added.
    init(ended: @escaping @Sendable () -> Void) { self.ended = ended }

    func opened() { count.wrappingAdd(1, ordering: .relaxed) }

    func closed() {
        if count.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { ended() }
    }
}
