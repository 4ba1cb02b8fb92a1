import Cryptography
package import Organizations

/// A key as its owner has it: `clk_` and 256 random bits. It is shown once; only its digest is stored.
package struct Credential: Sendable {
    private static let prefix = "clk_"
    private static let byteCount = 32

    package let text: String

    package init(using generator: inout some RandomNumberGenerator) {
        text = Self.prefix + Base64URL.encode(generator.bytes(Self.byteCount))
    }

    /// - Returns: `nil` for a text that does not have the form of a key.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.prefix),
            text.utf8.count == Self.prefix.utf8.count + Base64URL.encodedLength(of: Self.byteCount)
        else { return nil }
        self.text = text
    }

    package var digest: APIKeyDigest {
        APIKeyDigest(bytes: SHA256.hash(of: Array(text.utf8)))
    }
}
