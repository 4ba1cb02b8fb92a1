import Crypto
import Cryptography
import Foundation
import Identifiers

/// Seals values that a browser stores and must not read, such as the recipient of an open page: AES-256-GCM under a
/// secret of the service and of the session. A stolen cookie opens nothing without the session, nor does the session
/// without the key.
///
/// A sealed value has a use and an end of validity.
struct SealedValues: Sendable {
    /// No value is valid for longer.
    static let maximumLifetime = Duration.hours(1)

    private let keys: HolderKeys

    /// - Parameter erasureKey: the key that all nodes of a storage have.
    init(erasureKey: SecretBytes) throws(CryptographyError) {
        keys = try HolderKeys(erasureKey: erasureKey, use: .sealedValue)
    }

    /// - Parameters:
    ///   - use: the purpose of the value; it opens for no other.
    ///   - end: the value does not open from this time on; within ``maximumLifetime``.
    func seal(_ text: String, for use: String, holder: SessionToken, until end: Timestamp) throws -> String {
        let content = Data(end.millisecondsSince1970.bigEndianBytes + Array(text.utf8))
        let box = try AES.GCM.seal(content, using: key(holder), authenticating: Data(use.utf8))
        guard let combined = box.combined else { throw CryptographyError.unavailable(.aes) }
        return Base64URL.encode(Array(combined))
    }

    /// - Returns: `nil` if it was not sealed for this use and this session, was changed, or is no longer valid.
    func open(_ sealed: String, for use: String, holder: SessionToken, at now: Timestamp) -> String? {
        guard let bytes = try? Base64URL.decode(sealed), let box = try? AES.GCM.SealedBox(combined: Data(bytes)),
            let key = try? key(holder),
            let content = try? AES.GCM.open(box, using: key, authenticating: Data(use.utf8)), content.count >= 8
        else { return nil }
        let end = Timestamp(millisecondsSince1970: Int64(bigEndianBytes: content.prefix(8)))
        guard now < end, (end - Self.maximumLifetime).isPossible(at: now) else { return nil }
        return String(validating: content.dropFirst(8), as: UTF8.self)
    }

    private func key(_ holder: SessionToken) throws(CryptographyError) -> SymmetricKey {
        try keys.key(of: holder).withSpan { span in SymmetricKey(data: span.indices.map { span[$0] }) }
    }
}
