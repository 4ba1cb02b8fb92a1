/// Where the fields of a sealed receipt token stand: `docs/formats/receipt-token.md`.
package enum ReceiptTokenFormat {
    /// No version of a tracking ID, nor of another link: kinds are told apart by their first byte.
    package static let version: UInt8 = 0xC1
    package static let byteCount = 38
    package static let characterCount = 51

    static let versionOffset = 0
    static let keyIDOffset = 1
    static let expiryOffset = 2
    static let subject = 6..<22
    static let signed = 0..<22
    static let tag = 22..<38

    /// The block that the subject is the encryption of: the record's id, and zeros.
    static let recordOffset = 0
    static let zeros = 8..<16
}
