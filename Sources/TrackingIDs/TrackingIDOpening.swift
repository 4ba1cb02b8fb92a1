import Cryptography

/// What came of opening a tracking ID.
package enum TrackingIDOpening: Equatable, Sendable {
    /// Genuine. Whether its time has passed is not looked at.
    case opened(TrackingID, keyID: UInt8)
    case refused(TrackingIDRefusal)

    package var trackingID: TrackingID? {
        switch self {
        case .opened(let id, _): id
        case .refused: nil
        }
    }
}

/// Why a tracking ID does not open. The first that applies, in this order.
///
/// For operators and tests: to a stranger every refusal is the same 404.
package enum TrackingIDRefusal: String, CaseIterable, Sendable {
    /// Not 54 characters, or not 40 bytes.
    case length
    /// A character other than `A-Z a-z 0-9 - _`.
    case alphabet
    /// Bits set after the last byte.
    case trailingBits
    /// Another format version than this code knows.
    case version
    /// No key of the ring has this id: it was retired, or never was.
    case unknownKey
    /// Not signed by the key it names.
    case tag
    /// Signed, but no message or no recipient can have the number that it says.
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
