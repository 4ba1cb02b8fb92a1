import Synchronization
import TrackingIDs
import UseCases

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

    /// - Returns: the ID; `nil` if it is not genuine.
    /// - Throws: `SigningKeyMissing` if the ID may be genuine and cannot be opened yet.
    func open(_ read: (TrackingIDOpener) -> TrackingIDOpening) throws(SigningKeyMissing) -> TrackingID? {
        let version = keys.version
        let opening = state.withLock { state in
            if version != state.version, let fresh = try? TrackingIDOpener(keyRing: keys.value) {
                state.opener = fresh
                state.version = version
            }
            return read(state.opener)
        }
        if case .refused(let reason) = opening, keys.mayOpenLater(reason) { throw SigningKeyMissing() }
        return opening.trackingID
    }
}
