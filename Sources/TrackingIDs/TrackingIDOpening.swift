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

/// Why a tracking ID, the link of a consent request or a receipt token does not open. The first that applies, in this
/// order.
///
/// For operators and tests: to a stranger every refusal is the same 404.
package enum TrackingIDRefusal: String, CaseIterable, Sendable {
    /// Not as many characters or bytes as its kind has.
    case length
    /// A character other than `A-Z a-z 0-9 - _`.
    case alphabet
    /// Bits set after the last byte.
    case trailingBits
    /// Of another kind, or of a version that this code does not know.
    case version
    /// No key of the ring has this id: it was retired, or never was.
    case unknownKey
    /// Not signed by the key it names.
    case tag
    /// Signed, but nothing can have a number that it says.
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
