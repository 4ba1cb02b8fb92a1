import Cryptography
import Organizations

/// A browser's token while it is signed in: 256 random bits. The service stores only its digest under a key
/// (``SessionSeals``).
struct SessionToken: Sendable {
    private static let byteCount = 32

    /// 43 characters of base64url.
    let text: String
    private let bytes: [UInt8]

    init(using generator: inout some RandomNumberGenerator) {
        bytes = generator.bytes(Self.byteCount)
        text = Base64URL.encode(bytes)
    }

    /// - Returns: `nil` if the text does not have the form of a token.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count == Base64URL.encodedLength(of: Self.byteCount),
            let bytes = try? Base64URL.decode(text), bytes.count == Self.byteCount
        else { return nil }
        self.bytes = bytes
        self.text = String(text)
    }

    /// What the service stores of it: its HMAC-SHA-256.
    func digest(under key: SecretBytes) throws(CryptographyError) -> SessionDigest {
        let tag = try HMACSHA256(key: key).tag(of: bytes.span)
        return SessionDigest(bytes: (0..<HMACSHA256.tagLength).map { tag[$0] })
    }

    /// Another secret of the holder, for one use: one of them reveals nothing about the others.
    func secret(for use: KeyUse) throws(CryptographyError) -> SecretBytes { try use.key(from: SecretBytes(bytes)) }
}
