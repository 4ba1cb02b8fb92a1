package import Cryptography
import Identifiers

/// Seals receipt tokens with the key of a ring that signs, and opens those that any key of it signed.
///
/// It owns contexts of libcrypto, so two threads must not use it at once: make one for each thread or lock, and a new
/// one when the ring is rotated or a key retired.
package final class ReceiptTokenSealer {
    private let signing: SealedNumberCipher
    private let ciphers: [UInt8: SealedNumberCipher]

    package init(keyRing: KeyRing) throws(CryptographyError) {
        signing = try SealedNumberCipher(receiptTokensUnder: keyRing.signingKey)
        var ciphers = [keyRing.signingKey.id: signing]
        for key in keyRing.keys where key.id != keyRing.signingKey.id {
            ciphers[key.id] = try SealedNumberCipher(receiptTokensUnder: key)
        }
        self.ciphers = ciphers
    }

    /// 51 characters of base64url.
    package func seal(_ token: ReceiptToken) -> String { signing.seal(token.record.rawValue, expiry: token.expiresAt) }

    /// Opens 51 characters from a path. No other spelling of the same bytes opens.
    package func open(_ text: some StringProtocol) -> ReceiptTokenOpening {
        let sealed: SealedNumber
        switch SealedNumber.read(text) {
        case .read(let read): sealed = read
        case .refused(let reason): return .refused(reason)
        }
        guard sealed.version == ReceiptToken.version else { return .refused(.version) }
        guard let cipher = ciphers[sealed.keyID] else { return .refused(.unknownKey) }
        switch cipher.open(sealed) {
        case .refused(let reason): return .refused(reason)
        case .opened(let number, let expiry):
            guard let record = ConsentRecordID(rawValue: number) else { return .refused(.content) }
            return .opened(ReceiptToken(record: record, expiresAt: expiry))
        }
    }
}

@available(*, unavailable)
extension ReceiptTokenSealer: Sendable {}

extension ReceiptToken {
    /// The first byte. Versions of tracking IDs begin at 1, of consent request links at 129: none opens as another.
    package static let version: UInt8 = 0xC1
}

extension SealedNumberCipher {
    private static let signingInfo = [UInt8]("consentlink receipt-token v1 signing".utf8)
    private static let sealingInfo = [UInt8]("consentlink receipt-token v1 sealing".utf8)

    /// The secret is uniformly random, so HKDF needs no salt (RFC 5869, 3.1).
    fileprivate convenience init(receiptTokensUnder key: KeyRing.Key) throws(CryptographyError) {
        try self.init(
            version: ReceiptToken.version, keyID: key.id,
            signing: HKDF.derive(from: key.secret, info: Self.signingInfo),
            sealing: HKDF.derive(from: key.secret, info: Self.sealingInfo))
    }
}
