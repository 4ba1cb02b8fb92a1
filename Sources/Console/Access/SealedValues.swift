import Crypto
import Cryptography
import Foundation
import Identifiers

/// Seals what a browser keeps for the service and must not read, such as whose page is open: AES-256-GCM under a secret of
/// the service and of the session. A stolen cookie without the session opens as little as the session without the key.
///
/// What is sealed says for what it is and until when it counts.
struct SealedValues: Sendable {
    private let secret: SecretBytes

    /// - Parameter erasureKey: all nodes of a storage have the same.
    init(erasureKey: SecretBytes) throws(CryptographyError) {
        secret = try HKDF.derive(from: erasureKey, info: Array("consentlink console sealed v1".utf8))
    }

    /// - Parameters:
    ///   - use: what it is for; it opens for nothing else.
    ///   - end: from then on it does not open.
    func seal(_ text: String, for use: String, holder: SessionToken, until end: Timestamp) throws -> String {
        let content = Data(bytes(of: end.millisecondsSince1970) + Array(text.utf8))
        let box = try AES.GCM.seal(content, using: key(holder), authenticating: Data(use.utf8))
        guard let combined = box.combined else { throw CryptographyError.unavailable(.aes) }
        return Base64URL.encode(Array(combined))
    }

    /// - Returns: `nil` for what was not sealed for this use and this session, was changed, or counts no longer.
    func open(_ sealed: String, for use: String, holder: SessionToken, at now: Timestamp) -> String? {
        guard let bytes = try? Base64URL.decode(sealed), let box = try? AES.GCM.SealedBox(combined: Data(bytes)),
            let key = try? key(holder),
            let content = try? AES.GCM.open(box, using: key, authenticating: Data(use.utf8)), content.count >= 8
        else { return nil }
        let end = content.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard now < Timestamp(millisecondsSince1970: end) else { return nil }
        return String(validating: content.dropFirst(8), as: UTF8.self)
    }

    private func key(_ holder: SessionToken) throws(CryptographyError) -> SymmetricKey {
        let own = try holder.secret(for: "sealed")
        let both = secret.withSpan { ours in own.withSpan { theirs in
            ours.indices.map { ours[$0] } + theirs.indices.map { theirs[$0] }
        } }
        let key = try HKDF.derive(from: SecretBytes(both), info: Array("consentlink console sealed value v1".utf8))
        return key.withSpan { span in SymmetricKey(data: span.indices.map { span[$0] }) }
    }

    private func bytes(of number: Int64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> Int64($0)) }
    }
}
