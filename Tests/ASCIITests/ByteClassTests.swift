import ASCII
import Testing

@Suite struct ByteClassTests {
    private static let digits = "0123456789"
    private static let lower = "abcdefghijklmnopqrstuvwxyz"
    private static let upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    private static let signs = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

    /// A class, and all of its characters.
    struct ByteClass: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let contains: @Sendable (UInt8) -> Bool
        let members: String

        init(_ name: String, _ members: String, _ contains: @escaping @Sendable (UInt8) -> Bool) {
            (testDescription, self.members, self.contains) = (name, members, contains)
        }
    }

    static let classes: [ByteClass] = [
        ByteClass("digits", digits) { $0.isDigit },
        ByteClass("upper-case letters", upper) { $0.isUpperCaseLetter },
        ByteClass("lower-case letters", lower) { $0.isLowerCaseLetter },
        ByteClass("letters", lower + upper) { $0.isLetter },
        ByteClass("letters and digits", lower + upper + digits) { $0.isLetterOrDigit },
        ByteClass("names", lower + upper + digits + "._-") { $0.isNameCharacter },
        ByteClass("unreserved", lower + upper + digits + "._-~") { $0.isUnreserved },
        ByteClass("printable", lower + upper + digits + signs + " ") { $0.isPrintable },
        ByteClass("visible", lower + upper + digits + signs) { $0.isVisible },
        ByteClass("hexadecimal digits", digits + "abcdefABCDEF") { $0.isHexDigit },
        ByteClass("lower-case hexadecimal digits", digits + "abcdef") { $0.isLowerCaseHexDigit },
    ]

    @Test("a class has exactly its characters, of all 256 bytes", arguments: classes)
    func members(_ one: ByteClass) {
        #expect((UInt8.min ... .max).filter(one.contains) == one.members.utf8.sorted())
    }

    @Test("only upper-case letters have another byte in lower case")
    func lowerCased() {
        for byte in UInt8.min ... .max where !Self.upper.utf8.contains(byte) { #expect(byte.lowerCased == byte) }
        #expect(Self.upper.utf8.map(\.lowerCased).elementsEqual(Self.lower.utf8))
    }

    @Test("each number below 16 has a digit of either case, and the digit has its value")
    func digits() {
        let numbers = UInt8(0)..<16
        #expect(numbers.map(\.lowerCaseHexDigit).elementsEqual("0123456789abcdef".utf8))
        #expect(numbers.map(\.upperCaseHexDigit).elementsEqual("0123456789ABCDEF".utf8))
        #expect(numbers.map(\.lowerCaseHexDigit.hexDigitValue) == Array(numbers))
        #expect(numbers.map(\.upperCaseHexDigit.hexDigitValue) == Array(numbers))
        #expect(numbers.map(\.lowerCaseHexDigit.lowerCaseHexDigitValue) == Array(numbers))
        #expect("ABCDEF".utf8.allSatisfy { $0.lowerCaseHexDigitValue == nil })
    }
}
