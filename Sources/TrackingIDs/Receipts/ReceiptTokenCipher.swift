import Cryptography
import Identifiers

/// Seals and opens receipt tokens under one key of a ring. The keys are derived apart from those of tracking IDs, so
/// neither kind opens as the other.
///
/// Not for two threads at once, as the contexts of libcrypto are not.
final class ReceiptTokenCipher {
    private static let signingInfo = [UInt8]("consentlink receipt-token v1 signing".utf8)
    private static let sealingInfo = [UInt8]("consentlink receipt-token v1 sealing".utf8)

    private let keyID: UInt8
    private let signing: HMACSHA256
    private let sealing: AES256Block

    init(_ key: KeyRing.Key) throws(CryptographyError) {
        keyID = key.id
        // The secret is uniformly random, so HKDF needs no salt (RFC 5869, 3.1).
        signing = try HMACSHA256(key: HKDF.derive(from: key.secret, info: Self.signingInfo))
        sealing = try AES256Block(key: HKDF.derive(from: key.secret, info: Self.sealingInfo))
    }

    func seal(_ token: ReceiptToken) -> InlineArray<38, UInt8> {
        var block = AES256Block.Block(repeating: 0)
        var blockBytes = block.mutableSpan
        blockBytes.store(bigEndian: token.record.rawValue, at: ReceiptTokenFormat.recordOffset)
        let subject = sealing.encrypt(block)

        var sealed = InlineArray<38, UInt8>(repeating: 0)
        var bytes = sealed.mutableSpan
        bytes[ReceiptTokenFormat.versionOffset] = ReceiptTokenFormat.version
        bytes[ReceiptTokenFormat.keyIDOffset] = keyID
        bytes.store(bigEndian: token.expiresAt, at: ReceiptTokenFormat.expiryOffset)
        for index in subject.indices { bytes[ReceiptTokenFormat.subject.lowerBound + index] = subject[index] }
        let tag = signing.tag(of: bytes.span.extracting(ReceiptTokenFormat.signed))
        for index in ReceiptTokenFormat.tag { bytes[index] = tag[index - ReceiptTokenFormat.tag.lowerBound] }
        return sealed
    }

    /// - Parameter bytes: 38 bytes whose version and key id the caller has looked at.
    func open(_ bytes: Span<UInt8>) -> ReceiptTokenOpening {
        let computed = signing.tag(of: bytes.extracting(ReceiptTokenFormat.signed))
        let tag = bytes.extracting(ReceiptTokenFormat.tag)
        // Nothing is decrypted that was not signed.
        guard constantTimeEqual(tag, computed.span.extracting(0..<tag.count)) else { return .refused(.tag) }

        var subject = AES256Block.Block(repeating: 0)
        for index in subject.indices { subject[index] = bytes[ReceiptTokenFormat.subject.lowerBound + index] }
        let block = sealing.decrypt(subject)
        guard let record = ConsentRecordID(rawValue: block.span.bigEndian(at: ReceiptTokenFormat.recordOffset)),
            ReceiptTokenFormat.zeros.allSatisfy({ block[$0] == 0 })
        else { return .refused(.content) }
        return .opened(ReceiptToken(record: record, expiresAt: bytes.bigEndian(at: ReceiptTokenFormat.expiryOffset)))
    }
}
