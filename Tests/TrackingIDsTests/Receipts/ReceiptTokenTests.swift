import Cryptography
import Identifiers
import TestSupport
import Testing
import TrackingIDs

@Suite struct ReceiptTokenTests {
    private let ring = KeyRing.sample()

    private func token(_ record: UInt64 = 0x33b2_e7a1_c04f_1d2a, expires: UInt32 = 1_795_341_600) throws -> ReceiptToken
    {
        ReceiptToken(record: try #require(ConsentRecordID(rawValue: record)), expiresAt: expires)
    }

    private func bytes(_ text: String) throws -> [UInt8] { try Base64URL.decode(text) }

    @Test("what was sealed is opened, as 51 unreserved characters")
    func roundTrip() throws {
        let sealer = try ReceiptTokenSealer(keyRing: ring)
        for (record, expires) in [(1, 0), (UInt64(Int64.max), .max), (0x33b2_e7a1_c04f_1d2a, 1)] as [(UInt64, UInt32)] {
            let token = try token(record, expires: expires)
            let text = sealer.seal(token)
            #expect(text.wholeMatch(of: /[A-Za-z0-9_-]{51}/) != nil)
            #expect(sealer.open(text) == .opened(token))
        }
    }

    /// docs/formats/receipt-token.md; computed with Python's `cryptography`.
    @Test("the example of the format is what is sealed and opened")
    func example() throws {
        let key = KeyRing.Key(id: 1, secret: SecretBytes(Array(0..<32)), createdAt: .sample)
        let sealer = try ReceiptTokenSealer(keyRing: KeyRing(keys: [key]))
        let text = "wQFrAr0gQVhCIwl90licYCZTDBBMbZ6OIUZgXE98J0nH0LRQDJk"
        #expect(sealer.seal(try token()) == text)
        #expect(sealer.open(text) == .opened(try token()))
    }

    /// Sealed with the key of the example, by the same program.
    @Test(
        "what the key's holder sealed with anything but zeros behind the id, or with no id, is refused",
        arguments: [
            "wQFrAr0gCuuqdVd_kJRDP7Q6yJgDQ24mO3fcNT4-R7bxZO_PXmI",
            "wQFrAr0gULfzYSq4KTzJBzYBCP8Rnokul9jfBWDjWz-ar2YE5G8",
            "wQFrAr0gZvZGl4bEysplF5-4V2Tih4BNJpBwwJsvZ-S4vS3uljg",
            "wQFrAr0g-Gi5P_wVfv8msB8g0GhB7iOPzaTyWK6n6I-OKmtpDvk",
        ])
    func content(_ text: String) throws {
        let key = KeyRing.Key(id: 1, secret: SecretBytes(Array(0..<32)), createdAt: .sample)
        #expect(try ReceiptTokenSealer(keyRing: KeyRing(keys: [key])).open(text) == .refused(.content))
    }

    @Test("it lasts for an hour, and no longer")
    func lifetime() throws {
        let record = try token().record
        let made = Timestamp(millisecondsSince1970: 1_795_338_000_999)
        let token = try ReceiptToken(record: record, madeAt: made)
        #expect(token.expiresAt == 1_795_341_600)
        #expect(!token.hasExpired(at: Timestamp(millisecondsSince1970: 1_795_341_599_999)))
        #expect(token.hasExpired(at: Timestamp(millisecondsSince1970: 1_795_341_600_000)))
        for impossible in [Timestamp.distantPast, .distantFuture] {
            #expect(throws: TrackingIDError.expiryOutOfRange) {
                try ReceiptToken(record: record, madeAt: impossible)
            }
        }
    }

    @Test("a flipped bit is refused", arguments: 0..<304)
    func flippedBit(_ bit: Int) throws {
        let sealer = try ReceiptTokenSealer(keyRing: ring)
        var forged = try bytes(sealer.seal(token()))
        forged[bit / 8] ^= 0x80 >> (bit % 8)
        let reason: TrackingIDRefusal =
            switch bit / 8 {
            case 0: .version
            case 1: .unknownKey
            default: .tag
            }
        #expect(sealer.open(Base64URL.encode(forged)) == .refused(reason))
    }

    @Test("every cut, every longer text and every other spelling is refused")
    func spelling() throws {
        let sealer = try ReceiptTokenSealer(keyRing: ring)
        let text = sealer.seal(try token())
        for length in 0..<51 {
            #expect(sealer.open(text.prefix(length)) == .refused(.length))
            #expect(sealer.open(text.suffix(length)) == .refused(.length))
        }
        for other in [text + "A", text + "=", "A" + text, text + "/"] {
            #expect(sealer.open(other) == .refused(.length))
        }
        #expect(sealer.open(text.dropLast() + "=") == .refused(.alphabet))
        let last = try #require(text.last.flatMap { Base64URLText.alphabet.firstIndex(of: $0) })
        for bits in 1..<4 {
            #expect(
                sealer.open(text.dropLast() + String(Base64URLText.alphabet[last | bits])) == .refused(.trailingBits))
        }
    }

    @Test("the fields of one token do not go with the tag of another", arguments: [2..<6, 6..<22, 22..<38])
    func spliced(_ field: Range<Int>) throws {
        let sealer = try ReceiptTokenSealer(keyRing: ring)
        var forged = try bytes(sealer.seal(token()))
        forged.replaceSubrange(field, with: try bytes(sealer.seal(token(7, expires: 8)))[field])
        #expect(sealer.open(Base64URL.encode(forged)) == .refused(.tag))
    }

    @Test("a retired key no longer opens, the others do, and another deployment's never did")
    func keys() throws {
        let old = try ReceiptTokenSealer(keyRing: ring).seal(token())
        let rotated = try ring.rotatedForTest(seed: 2)
        let new = try ReceiptTokenSealer(keyRing: rotated).seal(token())
        #expect(try ReceiptTokenSealer(keyRing: rotated).open(old) == .opened(token()))
        let retired = try ReceiptTokenSealer(keyRing: rotated.retiring(1))
        #expect(retired.open(old) == .refused(.unknownKey))
        #expect(retired.open(new) == .opened(try token()))
        #expect(try ReceiptTokenSealer(keyRing: .sample(seed: 9)).open(old) == .refused(.tag))
    }

    @Test("no tracking ID opens as a receipt token, nor the other way round, whatever its first bytes are made")
    func kinds() throws {
        let (receipts, links) = (try ReceiptTokenSealer(keyRing: ring), try TrackingIDOpener(keyRing: ring))
        let link = try TrackingIDSealer(keyRing: ring).seal(.sample())
        let receipt = receipts.seal(try token())
        #expect(receipts.open(link) == .refused(.length))
        #expect(links.open(receipt) == .refused(.length))
        var cut = Array(try bytes(link).prefix(38))
        cut[0] = ReceiptToken.version
        #expect(receipts.open(Base64URL.encode(cut)) == .refused(.tag))
        var extended = try bytes(receipt) + [0, 0]
        extended[0] = TrackingIDFormat.version
        #expect(links.open(bytes: extended.span) == .refused(.tag))
    }

    @Test("10,000 random texts of the right length do not open")
    func noise() throws {
        var generator = SeededGenerator(seed: 3)
        let sealer = try ReceiptTokenSealer(keyRing: ring)
        for _ in 0..<10_000 {
            var bytes = (0..<38).map { _ in UInt8.random(in: 0...255, using: &generator) }
            (bytes[0], bytes[1]) = (ReceiptToken.version, 1)
            #expect(sealer.open(Base64URL.encode(bytes)) == .refused(.tag))
        }
    }
}

private enum Base64URLText {
    static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
}
