import Cryptography
import Testing

@Suite struct HexadecimalTests {
    @Test("all bytes are written with two digits and read back")
    func roundTrip() throws {
        let bytes = Array(UInt8.min...UInt8.max)
        let text = Hexadecimal.encode(bytes)
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff") && text.utf8.count == 512)
        #expect(try Hexadecimal.decode(text) == bytes)
    }

    @Test("other spellings are refused", arguments: ["0", "0g", "AB", "aB", " 0", "0x", "+1", "0é", "a\n"])
    func refuses(_ text: String) {
        #expect(throws: CryptographyError.hexadecimal) { try Hexadecimal.decode(text) }
    }
}
