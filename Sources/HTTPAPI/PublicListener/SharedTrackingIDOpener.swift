import TrackingIDs
import UseCases

/// Opens tracking IDs for requests on any thread.
struct SharedTrackingIDOpener: Sendable {
    private let keys: CurrentKeyRing
    private let opener: KeyRingDerived<TrackingIDOpener>

    init(keys: CurrentKeyRing) throws {
        self.keys = keys
        opener = try KeyRingDerived(keys) { try TrackingIDOpener(keyRing: $0) }
    }

    /// - Returns: the ID; `nil` if it is not genuine.
    /// - Throws: `SigningKeyMissing` if the ID may be genuine and cannot be opened yet.
    func open(_ read: (TrackingIDOpener) -> TrackingIDOpening) throws(SigningKeyMissing) -> TrackingID? {
        let opening = opener.use(read)
        if case .refused(let reason) = opening, keys.mayOpenLater(reason) { throw SigningKeyMissing() }
        return opening.trackingID
    }
}
