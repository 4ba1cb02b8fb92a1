import Cryptography
import Identifiers

/// The token in each form. It shows that the console gave the form to this browser, for this address, a short while
/// ago, and that the form was not sent before.
///
///     8 bytes time, 16 bytes random, 32 bytes HMAC-SHA-256 over both and the address, under a secret of browser and
///     service
///
/// Only this process remembers the forms that were sent, up to a number that people do not reach within a lifetime.
/// This finds a form that is sent twice. A form of another browser is refused in any case, because its cookie is
/// missing.
final class FormTokens: Sendable {
    enum Verdict: Hashable, Sendable {
        case fresh
        case missing
        case wrong
        case expired
        case sentBefore
    }

    /// How long a form can be sent.
    static let lifetime = Duration.minutes(30)
    private static let timeLength = 8
    private static let headLength = 24
    private static let length = 56

    private let keys: HolderKeys
    private let sent = OnceMemory<[UInt8]>(lifetime: lifetime, capacity: 50_000)

    /// - Parameter erasureKey: the key that all nodes of a storage have.
    init(erasureKey: SecretBytes) throws(CryptographyError) {
        keys = try HolderKeys(erasureKey: erasureKey, use: .formToken)
    }

    /// - Parameter holder: the token in the browser's cookie.
    func make(
        for path: String, holder: SessionToken, at now: Timestamp, using generator: inout some RandomNumberGenerator
    ) throws(CryptographyError) -> String {
        let random = generator.bytes(Self.headLength - Self.timeLength)
        let bytes = now.millisecondsSince1970.bigEndianBytes + random
        return Base64URL.encode(bytes + (try tag(of: bytes, path, holder)))
    }

    /// Checks the token of a form that was sent. A valid token is thereby used up.
    func take(_ text: String?, for path: String, holder: SessionToken, at now: Timestamp) -> Verdict {
        guard let text else { return .missing }
        guard let bytes = try? Base64URL.decode(text), bytes.count == Self.length else { return .wrong }
        let head = Array(bytes.prefix(Self.headLength))
        guard let tag = try? tag(of: head, path, holder),
            constantTimeEqual(tag, Array(bytes.dropFirst(Self.headLength)))
        else { return .wrong }
        let made = Timestamp(millisecondsSince1970: Int64(bigEndianBytes: head.prefix(Self.timeLength)))
        guard made.isPossible(at: now), now < made.advanced(by: Self.lifetime) else { return .expired }
        return sent.isFirst(head, at: now) ? .fresh : .sentBefore
    }

    /// Makes a token that ``take(_:for:holder:at:)`` used up valid again: the form had no effect.
    func giveBack(_ text: String) {
        guard let bytes = try? Base64URL.decode(text), bytes.count == Self.length else { return }
        sent.forget(Array(bytes.prefix(Self.headLength)))
    }

    private func tag(of head: [UInt8], _ path: String, _ holder: SessionToken) throws(CryptographyError) -> [UInt8] {
        let tag = try HMACSHA256(key: keys.key(of: holder)).tag(of: (head + Array(path.utf8)).span)
        return (0..<HMACSHA256.tagLength).map { tag[$0] }
    }
}
