/// The places of the fields in a sealed tracking ID: `docs/formats/tracking-id.md`.
package enum TrackingIDFormat {
    package static let version: UInt8 = 1
    package static let byteCount = 40
    package static let characterCount = 54

    static let versionOffset = 0
    static let keyIDOffset = 1
    static let expiryOffset = 2
    static let linkOffset = 6
    static let subject = 8..<24
    static let signed = 0..<24
    static let tag = 24..<40

    /// The plaintext block of the subject.
    static let messageOffset = 0
    static let recipientOffset = 8
}
