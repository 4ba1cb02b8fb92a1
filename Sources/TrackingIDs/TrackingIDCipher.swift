import Cryptography
import Identifiers

/// Seals and opens under one key of a ring, with contexts of libcrypto that are keyed once.
///
/// Two threads must not use it at once, because of the contexts.
final class TrackingIDCipher {
    typealias Sealed = InlineArray<40, UInt8>

    private let keyID: UInt8
    private let signing: HMACSHA256
    private let sealing: AES256Block

    init(_ key: KeyRing.Key) throws(CryptographyError) {
        let derived = try TrackingKey(derivedFrom: key.secret)
        keyID = key.id
        signing = try HMACSHA256(key: derived.signing)
        sealing = try AES256Block(key: derived.sealing)
    }

    func seal(_ id: TrackingID) -> Sealed {
        var block = AES256Block.Block(repeating: 0)
        var blockBytes = block.mutableSpan
        blockBytes.store(bigEndian: id.message.rawValue, at: TrackingIDFormat.messageOffset)
        blockBytes.store(bigEndian: id.recipient.rawValue, at: TrackingIDFormat.recipientOffset)
        let subject = sealing.encrypt(block)

        var sealed = Sealed(repeating: 0)
        var bytes = sealed.mutableSpan
        bytes[TrackingIDFormat.versionOffset] = TrackingIDFormat.version
        bytes[TrackingIDFormat.keyIDOffset] = keyID
        bytes.store(bigEndian: id.expiry.secondsSince1970, at: TrackingIDFormat.expiryOffset)
        bytes.store(bigEndian: id.link.rawValue, at: TrackingIDFormat.linkOffset)
        for index in subject.indices { bytes[TrackingIDFormat.subject.lowerBound + index] = subject[index] }
        let tag = signing.tag(of: bytes.span.extracting(TrackingIDFormat.signed))
        for index in TrackingIDFormat.tag { bytes[index] = tag[index - TrackingIDFormat.tag.lowerBound] }
        return sealed
    }

    /// - Parameter bytes: 40 bytes; the caller has checked their version and key id.
    func open(_ bytes: Span<UInt8>) -> TrackingIDOpening {
        let computed = signing.tag(of: bytes.extracting(TrackingIDFormat.signed))
        let tag = bytes.extracting(TrackingIDFormat.tag)
        // Nothing is decrypted before its signature is verified.
        guard constantTimeEqual(tag, computed.span.extracting(0..<tag.count)) else { return .refused(.tag) }

        var subject = AES256Block.Block(repeating: 0)
        for index in subject.indices { subject[index] = bytes[TrackingIDFormat.subject.lowerBound + index] }
        let block = sealing.decrypt(subject)
        guard let message = MessageID(rawValue: block.span.bigEndian(at: TrackingIDFormat.messageOffset)),
            let recipient = RecipientReference(rawValue: block.span.bigEndian(at: TrackingIDFormat.recipientOffset))
        else { return .refused(.content) }
        let id = TrackingID(
            message: message,
            recipient: recipient,
            link: LinkIndex(rawValue: bytes.bigEndian(at: TrackingIDFormat.linkOffset)),
            expiry: LinkExpiry(secondsSince1970: bytes.bigEndian(at: TrackingIDFormat.expiryOffset))
        )
        return .opened(id, keyID: keyID)
    }
}
