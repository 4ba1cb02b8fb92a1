import Synchronization
import TrackingIDs

/// Opens tracking IDs for requests on any thread.
final class SharedTrackingIDOpener: Sendable {
    private struct State {
        var opener: TrackingIDOpener
        var version: Int
    }

    private let keys: CurrentKeyRing
    /// Guards the opener, which two threads must not use at once; held for one opening, a third of a microsecond.
    private let state: Mutex<State>

    init(keys: CurrentKeyRing) throws {
        self.keys = keys
        let version = keys.version
        state = Mutex(State(opener: try TrackingIDOpener(keyRing: keys.value), version: version))
    }

    /// - Returns: the ID and the key that signed it, or why it does not open.
    func open<Failure: Error>(
        _ read: (TrackingIDOpener) throws(Failure) -> TrackingIDOpening
    ) throws(Failure) -> TrackingIDOpening {
        let version = keys.version
        return try state.withLock { state throws(Failure) in
            if version != state.version, let fresh = try? TrackingIDOpener(keyRing: keys.value) {
                state.opener = fresh
                state.version = version
            }
            return try read(state.opener)
        }
    }
}
