import Cryptography
import SQL

/// Seals personal data before the database gets it, and opens it again: AES-256 in counter mode (NIST SP 800-38A), then
/// HMAC-SHA-256 over version, nonce and ciphertext, truncated to the first 16 bytes.
///
///     1 byte version, 16 bytes nonce, as many bytes as the text has, 16 bytes tag
///
/// The keys are derived from the erasure key, which is not in the database. A copy of the database alone reveals the
/// length of a text and nothing else. Must be used by one thread at a time.
final class PersonalDataSealer {
    private static let version: UInt8 = 1
    private static let nonceLength = 16
    private static let tagLength = 16
    static let overhead = 1 + nonceLength + tagLength

    private let cipher: CipherBox
    private let random: UncheckedRandom

    /// - Parameter key: the erasure key.
    init(key: SecretBytes) throws(CryptographyError) {
        cipher = try CipherBox(key: key)
        random = UncheckedRandom()
    }

    func seal(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        var sealed: [UInt8] = []
        sealed.reserveCapacity(text.count + Self.overhead)
        sealed.append(Self.version)
        let (first, second) = (random.next(), random.next())
        withUnsafeBytes(of: (first, second)) { sealed.append(contentsOf: $0) }
        sealed.append(contentsOf: text)
        cipher.applyKeystream(to: &sealed, from: 1 + Self.nonceLength, nonceAt: 1)
        let tag = cipher.tag(of: sealed.span)
        for index in 0..<Self.tagLength { sealed.append(tag[index]) }
        return sealed
    }

    /// - Throws: `StorageError.unreadable` for bytes that were not sealed under this key.
    func open(_ sealed: [UInt8]) throws(StorageError) -> String {
        guard sealed.count >= Self.overhead, sealed[0] == Self.version else { throw .unreadable }
        var content = Array(sealed.dropLast(Self.tagLength))
        let expected = cipher.tag(of: content.span)
        var found = InlineArray<16, UInt8>(repeating: 0)
        for index in 0..<Self.tagLength { found[index] = sealed[content.count + index] }
        guard constantTimeEqual(expected.span.extracting(0..<Self.tagLength), found.span) else { throw .unreadable }
        cipher.applyKeystream(to: &content, from: 1 + Self.nonceLength, nonceAt: 1)
        guard let text = String(validating: content[(1 + Self.nonceLength)...], as: UTF8.self) else {
            throw .unreadable
        }
        return text
    }
}

/// Keys whose key schedule is computed once.
private final class CipherBox {
    private let block: AES256Block
    private let hmac: HMACSHA256

    init(key: SecretBytes) throws(CryptographyError) {
        block = try AES256Block(
            key: HKDF.derive(from: key, info: Array("consentlink/personal-data/encryption/1".utf8)))
        hmac = try HMACSHA256(
            key: HKDF.derive(from: key, info: Array("consentlink/personal-data/authentication/1".utf8)))
    }

    func tag(of bytes: Span<UInt8>) -> HMACSHA256.Tag { hmac.tag(of: bytes) }

    /// Counter mode: the nonce is the first counter block, and the last four bytes count up, big-endian.
    func applyKeystream(to bytes: inout [UInt8], from start: Int, nonceAt nonce: Int) {
        var counter = AES256Block.Block(repeating: 0)
        for index in 0..<AES256Block.blockLength { counter[index] = bytes[nonce + index] }
        var place = start
        while place < bytes.count {
            let stream = block.encrypt(counter)
            for index in 0..<min(AES256Block.blockLength, bytes.count - place) { bytes[place + index] ^= stream[index] }
            place += AES256Block.blockLength
            for index in stride(from: AES256Block.blockLength - 1, through: AES256Block.blockLength - 4, by: -1) {
                counter[index] &+= 1
                if counter[index] != 0 { break }
            }
        }
    }
}

/// Random numbers without a system call for each.
private final class UncheckedRandom {
    private var random = BufferedRandom()

    func next() -> UInt64 { random.next() }
}
