import ASCII
import Testing

@Suite struct TextTests {
    @Test(
        "each byte that is not kept is encoded with digits in upper case",
        arguments: [("", ""), ("a-b._~9", "a-b._~9"), ("a b", "a%20b"), ("%", "%25"), ("é/\u{0}", "%C3%A9%2F%00")])
    func encoding(_ text: String, _ encoded: String) {
        #expect(PercentEncoding.encode(text, keeping: \.isUnreserved) == encoded)
    }

    @Test(
        "digits of either case are decoded, all else stays",
        arguments: [("", ""), ("a+b", "a+b"), ("%c3%A9", "é"), ("é%25", "é%"), ("%2525", "%25")])
    func decoding(_ encoded: String, _ text: String) {
        #expect(PercentEncoding.decode(encoded.utf8) == Array(text.utf8))
    }

    @Test("a percent sign without two digits is refused", arguments: ["%", "a%", "%4", "%g0", "%0g", "%+5", "%%41"])
    func malformed(_ text: String) {
        #expect(PercentEncoding.decode(text.utf8) == nil)
    }

    @Test("every byte is decoded as it was before it was encoded")
    func roundTrip() {
        var encoded: [UInt8] = []
        for byte in UInt8.min ... .max { encoded.append(percentEncoded: byte) }
        #expect(PercentEncoding.decode(encoded) == Array(UInt8.min ... .max))
    }

    @Test("the control characters are those of Unicode, and no others")
    func controlCharacters() {
        for number in UInt32(0)...0x2FF {
            guard let scalar = Unicode.Scalar(number) else { continue }
            let isControl = scalar.properties.generalCategory == .control
            for text in ["\(scalar)", "a\(scalar)b", "ü\(scalar)", "Â\(scalar)"] {
                #expect(text.hasControlCharacter == isControl, "U+\(String(number, radix: 16))")
            }
        }
        #expect(!"".hasControlCharacter)
        #expect(!"ā€\u{1F600}".hasControlCharacter)
    }
}
