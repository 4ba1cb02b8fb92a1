import Identifiers

/// Where the fields of a sealed consent request link stand: `docs/formats/consent-request-link.md`.
package enum ConsentRequestLinkFormat {
    package static let byteCount = 38
    package static let characterCount = 51

    static let versionOffset = 0
    static let keyIDOffset = 1
    static let expiryOffset = 2
    static let subject = 6..<22
    static let signed = 0..<22
    static let tag = 22..<38

    /// The block that the subject is the encryption of. The rest of it is zero.
    static let requestOffset = 0
    static let zero = 8..<16
}

extension ConsentRequestStep {
    /// The first byte of the link. Tracking IDs count their versions from 1, these from 129: neither opens as the other.
    var version: UInt8 {
        switch self {
        case .question: 129
        case .confirmation: 130
        }
    }
}
