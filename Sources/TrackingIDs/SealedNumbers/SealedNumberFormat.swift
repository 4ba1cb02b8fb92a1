/// The places of the fields in a sealed number: `docs/formats/consent-request-link.md`,
/// `docs/formats/receipt-token.md`.
enum SealedNumberFormat {
    static let versionOffset = 0
    static let keyIDOffset = 1
    static let expiryOffset = 2
    static let subject = 6..<22
    static let signed = 0..<22
    static let tag = 22..<38

    /// The plaintext block of the subject: the number, and zeros.
    static let numberOffset = 0
    static let zeros = 8..<16
}
