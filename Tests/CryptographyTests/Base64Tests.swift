import Cryptography
import Testing

@Suite("Base64")
struct Base64Tests {
    @Test(
        "is written as RFC 4648 has it",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"), ("\u{7F}?>~", "fz8+fg=="),
        ])
    func encoding(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
    }

    @Test("every length comes back", arguments: 0...130)
    func roundTrip(_ length: Int) throws {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ length) }
        #expect(try Base64.decode(Base64.encode(bytes)) == bytes)
        var text = [UInt8](repeating: 0, count: (length + 2) / 3 * 4 + 3)
        var span = text.mutableSpan
        Base64.write(bytes.span, over: &span, at: 2)
        #expect(text == [0, 0] + Array(Base64.encode(bytes).utf8) + [0])
    }

    @Test(
        "text that encoding does not write is refused",
        arguments: [
            "Z", "Zg", "Zm8", "Zg=", "Zg==\n", "\nZg==", " Zg==", "Zg= =", "Zg==Zg==", "Zg==Zm9v", "====", "=", "==",
            "Z===", "Zm9vY===", "Zh==", "Zv==", "Zm9=", "Zm-_", "-__-", "Zm9v=", "Zm9v====", "Zm\09", "Zmé", "Zg=A",
            "=g==",
        ])
    func refused(text: String) {
        #expect(throws: CryptographyError.base64) { try Base64.decode(text) }
    }

    @Test("each of the 256 bytes is a character of the alphabet or refused, wherever it stands", arguments: 0..<4)
    func alphabet(_ place: Int) {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: "=") {
            var text = [UInt8]("AAAA".utf8)
            text[place] = byte
            #expect((Base64.decode(text) != nil) == alphabet.contains(byte))
        }
    }

    @Test("room for more or fewer bytes than the text has is refused", arguments: [0, 2, 4])
    func room(_ count: Int) {
        var bytes = [UInt8](repeating: 0, count: count)
        var output = bytes.mutableSpan
        let isDecoded = Base64.decode([UInt8]("AAAA".utf8).span, into: &output)
        #expect(!isDecoded)
    }
}
