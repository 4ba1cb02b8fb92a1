package import Cryptography
import Identifiers

/// The secret with which an endpoint's deliveries are signed, in the form of Standard Webhooks: 24 to 64 bytes, written
/// as `whsec_` and their Base64.
package struct EndpointSecret: Sendable {
    static let prefix = "whsec_"
    static let allowedLength = 24...64
    private static let length = 32
    /// For how long deliveries are signed with both the new and the previous secret.
    package static let overlap = Duration.hours(24)

    package let bytes: SecretBytes

    package init(using random: inout some RandomNumberGenerator) {
        bytes = SecretBytes(count: Self.length, using: &random)
    }

    /// - Returns: `nil` for another length.
    package init?(_ bytes: [UInt8]) {
        guard Self.allowedLength.contains(bytes.count) else { return nil }
        self.bytes = SecretBytes(bytes)
    }

    /// The text that its owner sees once.
    package var text: String { Self.prefix + bytes.withSpan { Base64.encode($0) } }
}
