import Cryptography

/// The result of opening a tracking ID.
package enum TrackingIDOpening: Equatable, Sendable {
    /// Genuine. It does not say whether the ID has expired.
    case opened(TrackingID, keyID: UInt8)
    case refused(TrackingIDRefusal)

    package var trackingID: TrackingID? {
        switch self {
        case .opened(let id, _): id
        case .refused: nil
        }
    }
}

/// Why a tracking ID, the link of a consent request or a receipt token does not open. The first that applies, in this
/// order.
///
/// For operators and tests: an unknown client gets the same 404 for each of them.
package enum TrackingIDRefusal: String, CaseIterable, Sendable {
    /// The wrong number of characters or bytes for its kind.
    case length
    /// A character other than `A-Z a-z 0-9 - _`.
    case alphabet
    /// Bits set after the last byte.
    case trailingBits
    /// Another kind, or a version that this code does not know.
    case version
    /// No key of the ring has this id: it was retired, or never was.
    case unknownKey
    /// Not signed by the key that it names.
    case tag
    /// Signed, but it contains a number that no entity can have.
    case content

    init(_ fault: Base64URL.Fault) {
        self =
            switch fault {
            case .length: .length
            case .alphabet: .alphabet
            case .trailingBits: .trailingBits
            }
    }
}
