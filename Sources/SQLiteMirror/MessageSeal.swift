import Cryptography
import Identifiers
import Messages
import Synchronization

/// Authenticates messages in the file, so that a changed byte of the file cannot make a link lead elsewhere.
final class MessageSeal: Sendable {
    private static let tagLength = 16

    /// Guards the key's state, which one thread at a time may use; held for one tag.
    private let key: Mutex<HMACSHA256>

    /// - Parameter secret: the secret of the data folder.
    init(_ secret: SecretBytes) throws {
        key = Mutex(try HMACSHA256(key: HKDF.derive(from: secret, info: Array("consentlink mirror of messages".utf8))))
    }

    func seal(_ message: FollowedMessage) -> [UInt8] {
        let packed = message.packed
        return tag(message.id, packed[...]) + packed
    }

    /// - Returns: `nil` if ``seal(_:)`` did not make the content for this message.
    func open(_ content: [UInt8], of id: MessageID) -> FollowedMessage? {
        guard content.count > Self.tagLength else { return nil }
        let packed = content.dropFirst(Self.tagLength)
        guard constantTimeEqual(tag(id, packed), Array(content.prefix(Self.tagLength))) else { return nil }
        return FollowedMessage(id: id, packed: Array(packed))
    }

    private func tag(_ id: MessageID, _ packed: ArraySlice<UInt8>) -> [UInt8] {
        var input: [UInt8] = []
        withUnsafeBytes(of: id.rawValue.bigEndian) { input.append(contentsOf: $0) }
        input.append(contentsOf: packed)
        return key.withLock { key in
            let tag = key.tag(of: input.span)
            return (0..<Self.tagLength).map { tag[$0] }
        }
    }
}
