import Cryptography
import Testing

@Suite struct Base64URLTests {
    /// RFC 4648, 10, without the padding, and the two characters that are URL-safe base64's own.
    static let texts: [(bytes: [UInt8], text: String)] = [
        ([], ""),
        (Array("f".utf8), "Zg"),
        (Array("fo".utf8), "Zm8"),
        (Array("foo".utf8), "Zm9v"),
        (Array("foob".utf8), "Zm9vYg"),
        (Array("fooba".utf8), "Zm9vYmE"),
        (Array("foobar".utf8), "Zm9vYmFy"),
        ([0xFB, 0xFF, 0xFE], "-__-"),
        ([0xFF], "_w"),
        ([0, 0, 0, 0], "AAAAAA"),
    ]

    @Test("bytes and text belong together", arguments: texts.indices)
    func pairs(_ index: Int) throws {
        let (bytes, text) = Self.texts[index]
        #expect(Base64URL.encode(bytes) == text)
        #expect(try Base64URL.decode(text) == bytes)
        #expect(Base64URL.encodedLength(of: bytes.count) == text.utf8.count)
        #expect(Base64URL.decodedLength(of: text.utf8.count) == bytes.count)
    }

    @Test("every length comes back", arguments: 0...130)
    func roundTrip(_ length: Int) throws {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ length) }
        #expect(try Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }

    static let refused: [(text: String, fault: Base64URL.Fault)] = [
        ("Z", .length), ("Zm9vY", .length), ("Zg==", .alphabet), ("Zm8=", .alphabet), ("Zg=", .alphabet),
        ("+/+/", .alphabet), ("-__+", .alphabet), ("Zm9v\n", .length), ("Zm9vYg\n\n", .alphabet), (" Zm9", .alphabet),
        ("Zm%3", .alphabet), ("Zm9\0", .alphabet), ("Zmé", .alphabet), ("Zh", .trailingBits), ("Zv", .trailingBits),
        ("Zm9", .trailingBits), ("Zm-", .trailingBits), ("_x", .trailingBits), ("_-", .trailingBits),
    ]

    @Test("text that encoding does not write is refused", arguments: refused.indices)
    func refuses(_ index: Int) {
        let (text, fault) = Self.refused[index]
        #expect(throws: CryptographyError.base64URL(fault)) { try Base64URL.decode(text) }
    }

    @Test("each of the 256 bytes is a character of the alphabet or refused, wherever it stands", arguments: 0..<4)
    func alphabet(_ place: Int) {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for byte in UInt8.min...UInt8.max {
            var text = [UInt8]("AAAA".utf8)
            text[place] = byte
            var bytes: [UInt8] = [0, 0, 0]
            var output = bytes.mutableSpan
            let fault = Base64URL.decode(text.span, into: &output)
            #expect(fault == (alphabet.contains(byte) ? nil : .alphabet))
        }
    }

    @Test("room for more or fewer bytes than the text has is the wrong length", arguments: [0, 2, 4])
    func room(_ count: Int) {
        var bytes = [UInt8](repeating: 0, count: count)
        var output = bytes.mutableSpan
        let fault = Base64URL.decode([UInt8]("AAAA".utf8).span, into: &output)
        #expect(fault == .length)
    }
}
