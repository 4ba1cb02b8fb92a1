import Cryptography

/// What came of opening a consent request link.
package enum ConsentRequestLinkOpening: Equatable, Sendable {
    /// Genuine. Whether its time has passed is not looked at.
    case opened(ConsentRequestLink)
    case refused(ConsentRequestLinkRefusal)

    package var link: ConsentRequestLink? {
        switch self {
        case .opened(let link): link
        case .refused: nil
        }
    }
}

/// Why a consent request link does not open. The first that applies, in this order.
///
/// For tests: to a stranger every refusal is the same 404.
package enum ConsentRequestLinkRefusal: String, CaseIterable, Sendable {
    /// Not 51 characters.
    case length
    /// A character other than `A-Z a-z 0-9 - _`.
    case alphabet
    /// Bits set after the last byte.
    case trailingBits
    /// The first byte is that of no kind of link.
    case version
    /// No key of the ring has this id: it was retired, or never was.
    case unknownKey
    /// Not signed by the key it names.
    case tag
    /// Signed, but no request can have the number that it says.
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
