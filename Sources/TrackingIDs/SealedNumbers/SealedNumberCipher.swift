import Cryptography

/// Seals and opens numbers of 64 bits with an expiry, of one kind and under one key of a ring. Each kind derives keys
/// of its own, so none opens as another.
///
/// Two threads must not use it at once, because of the contexts of libcrypto.
final class SealedNumberCipher {
    private let version: UInt8
    private let keyID: UInt8
    private let signing: HMACSHA256
    private let sealing: AES256Block

    /// - Parameters:
    ///   - version: the first byte, which no other kind has.
    ///   - keyID: the id of the key that the other two are derived from.
    init(
        version: UInt8, keyID: UInt8, signing: SecretBytes, sealing: SecretBytes
    ) throws(CryptographyError) {
        self.version = version
        self.keyID = keyID
        self.signing = try HMACSHA256(key: signing)
        self.sealing = try AES256Block(key: sealing)
    }

    /// 51 characters of base64url.
    /// - Parameter expiry: in seconds since 1970. It is readable in the text.
    func seal(_ number: UInt64, expiry: UInt32) -> String {
        var block = AES256Block.Block(repeating: 0)
        var blockBytes = block.mutableSpan
        blockBytes.store(bigEndian: number, at: SealedNumberFormat.numberOffset)
        let subject = sealing.encrypt(block)

        var sealed = SealedNumber.Bytes(repeating: 0)
        var bytes = sealed.mutableSpan
        bytes[SealedNumberFormat.versionOffset] = version
        bytes[SealedNumberFormat.keyIDOffset] = keyID
        bytes.store(bigEndian: expiry, at: SealedNumberFormat.expiryOffset)
        for index in subject.indices { bytes[SealedNumberFormat.subject.lowerBound + index] = subject[index] }
        let tag = signing.tag(of: bytes.span.extracting(SealedNumberFormat.signed))
        for index in SealedNumberFormat.tag { bytes[index] = tag[index - SealedNumberFormat.tag.lowerBound] }
        return Base64URL.encode(sealed.indices.map { sealed[$0] })
    }

    /// - Parameter sealed: must have the version and the key id of this cipher.
    func open(_ sealed: SealedNumber) -> Opening {
        let bytes = sealed.bytes.span
        let computed = signing.tag(of: bytes.extracting(SealedNumberFormat.signed))
        let tag = bytes.extracting(SealedNumberFormat.tag)
        // Nothing is decrypted before its signature is verified.
        guard constantTimeEqual(tag, computed.span.extracting(0..<tag.count)) else { return .refused(.tag) }

        var subject = AES256Block.Block(repeating: 0)
        for index in subject.indices { subject[index] = bytes[SealedNumberFormat.subject.lowerBound + index] }
        let block = sealing.decrypt(subject)
        guard SealedNumberFormat.zeros.allSatisfy({ block[$0] == 0 }) else { return .refused(.content) }
        return .opened(
            block.span.bigEndian(at: SealedNumberFormat.numberOffset),
            expiry: bytes.bigEndian(at: SealedNumberFormat.expiryOffset))
    }

    enum Opening {
        /// Genuine. It does not say whether the number has expired.
        case opened(UInt64, expiry: UInt32)
        case refused(TrackingIDRefusal)
    }
}
