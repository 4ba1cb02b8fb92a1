import Cryptography
import Testing

@Suite struct HMACSHA256Tests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        let key: String
        let message: String
        let tag: String
        var testDescription: String { name }
    }

    /// RFC 4231, 4.2–4.8. Case 5 is given there cut to 128 bits.
    static let vectors = [
        Vector(
            name: "case 1",
            key: String(repeating: "0b", count: 20),
            message: "4869205468657265",
            tag: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        Vector(
            name: "case 2: a key shorter than the tag",
            key: "4a656665",
            message: "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
            tag: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        Vector(
            name: "case 3: key and message longer than 64 bytes together",
            key: String(repeating: "aa", count: 20),
            message: String(repeating: "dd", count: 50),
            tag: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        Vector(
            name: "case 4",
            key: "0102030405060708090a0b0c0d0e0f10111213141516171819",
            message: String(repeating: "cd", count: 50),
            tag: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        Vector(
            name: "case 5: cut to 128 bits",
            key: String(repeating: "0c", count: 20),
            message: "546573742057697468205472756e636174696f6e",
            tag: "a3b6167473100ee06e0c796c2955552b"
        ),
        Vector(
            name: "case 6: a key longer than a block",
            key: String(repeating: "aa", count: 131),
            message:
                "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d2048617368204b657920"
                + "4669727374",
            tag: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        Vector(
            name: "case 7: key and message longer than a block",
            key: String(repeating: "aa", count: 131),
            message:
                "5468697320697320612074657374207573696e672061206c6172676572207468616e20626c6f636b2d73697a65206b6579"
                + "20616e642061206c6172676572207468616e20626c6f636b2d73697a6520646174612e20546865206b6579206e6565647320"
                + "746f20626520686173686564206265666f7265206265696e6720757365642062792074686520484d414320616c676f726974"
                + "686d2e",
            tag: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ]

    @Test("the vectors of RFC 4231", arguments: vectors)
    func vector(_ vector: Vector) throws {
        let message = try hex(vector.message)
        let hmac = try HMACSHA256(key: SecretBytes(hex(vector.key)))
        let tag = hmac.tag(of: message.span).hexadecimal
        #expect(tag.hasPrefix(vector.tag))
        #expect(tag.count == 2 * HMACSHA256.tagLength)
    }

    @Test("a keyed context gives every message the tag that a fresh one gives it")
    func contextIsReused() throws {
        let key = SecretBytes([UInt8](repeating: 7, count: 32))
        let reused = try HMACSHA256(key: key)
        for length in [0, 1, 24, 55, 56, 63, 64, 65, 1000, 24, 0] {
            let message = [UInt8](repeating: UInt8(length & 0xFF), count: length)
            let fresh = try HMACSHA256(key: key)
            #expect(reused.tag(of: message.span).hexadecimal == fresh.tag(of: message.span).hexadecimal)
        }
    }

    @Test("under a key for each message it is the same", arguments: [0, 1, 16, 63, 64])
    func ofOneMessage(_ keyLength: Int) throws {
        var sha256 = SHA256()
        for length in [0, 1, 55, 56, 63, 64, 65, 1000] {
            let key = [UInt8](repeating: UInt8(keyLength), count: keyLength)
            let message = [UInt8](repeating: UInt8(length & 0xFF), count: length)
            let expected = try HMACSHA256(key: SecretBytes(key)).tag(of: message.span)
            let tag = sha256.hmac(of: message.span, under: key.span)
            #expect(tag.hexadecimal == expected.hexadecimal)
        }
    }

    @Test("an empty key is a key")
    func emptyKey() throws {
        let hmac = try HMACSHA256(key: SecretBytes([]))
        let tags = [hmac.tag(of: [UInt8]().span).hexadecimal, hmac.tag(of: [UInt8]().span).hexadecimal]
        let expected = "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
        #expect(tags == [expected, expected])
    }

    @Test("contexts of two keys do not disturb each other")
    func twoKeys() throws {
        let message = [UInt8]("Hi There".utf8)
        let one = try HMACSHA256(key: SecretBytes([UInt8](repeating: 1, count: 32)))
        let other = try HMACSHA256(key: SecretBytes([UInt8](repeating: 2, count: 32)))
        let before = one.tag(of: message.span).hexadecimal
        let between = other.tag(of: message.span).hexadecimal
        let after = one.tag(of: message.span).hexadecimal
        #expect(before == after)
        #expect(before != between)
    }
}
