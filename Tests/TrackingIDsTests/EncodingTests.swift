import Cryptography
import Identifiers
import TestSupport
import Testing
import TrackingIDs

/// Of all the texts that a lax decoder takes for the same bytes, one opens.
@Suite struct EncodingTests {
    static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    let token: String
    let opener: TrackingIDOpener

    /// A token with both `-` and `_` in it, so that the standard alphabet spells it differently.
    init() throws {
        let sealer = try TrackingIDSealer(keyRing: .sample())
        var generator = SeededGenerator(seed: 4)
        var token = ""
        while !token.contains("-") || !token.contains("_") { token = sealer.seal(try .random(using: &generator)) }
        self.token = token
        opener = try TrackingIDOpener(keyRing: .sample())
    }

    @Test("the token itself opens")
    func genuine() {
        #expect(opener.open(token).trackingID != nil)
    }

    @Test("every cut is refused", arguments: 0..<54)
    func cut(_ length: Int) {
        #expect(opener.open(token.prefix(length)) == .refused(.length))
        #expect(opener.open(token.suffix(length)) == .refused(.length))
    }

    @Test(
        "one character more is refused, before, after and within",
        arguments: alphabet + ["=", "/", " ", "?", "\n", "\0"]
    )
    func extended(_ character: Character) {
        for place in [0, 1, 27, 53, 54] {
            var text = Array(token)
            text.insert(character, at: place)
            #expect(opener.open(String(text)) == .refused(.length))
        }
    }

    @Test("another character in any place is refused", arguments: 0..<54)
    func replaced(_ place: Int) {
        let original = Array(token)
        for character in Self.alphabet where character != original[place] {
            var text = original
            text[place] = character
            #expect(opener.open(String(text)).trackingID == nil)
        }
    }

    @Test("a byte outside the alphabet is refused in any place", arguments: 0..<54)
    func outsideAlphabet(_ place: Int) {
        let alphabet = Set(Self.alphabet.compactMap(\.asciiValue))
        for byte in UInt8.min...UInt8.max where !alphabet.contains(byte) {
            var text = Array(token.utf8)
            text[place] = byte
            let opening = opener.open(text.span)
            #expect(opening == .refused(.alphabet))
        }
    }

    @Test("each of the 15 other spellings of the last byte is refused", arguments: 1..<16)
    func trailingBits(_ bits: Int) throws {
        let last = try #require(token.last)
        let value = try #require(Self.alphabet.firstIndex(of: last))
        #expect(opener.open(token.dropLast() + String(Self.alphabet[value | bits])) == .refused(.trailingBits))
    }

    @Test("padding is refused, as it would be written and in place of characters", arguments: ["=", "==", "==="])
    func padding(_ padding: String) {
        #expect(opener.open(token + padding) == .refused(.length))
        #expect(opener.open(token.dropLast(padding.count) + padding) == .refused(.alphabet))
    }

    @Test("the standard alphabet is refused, whole and in one character")
    func standardAlphabet() {
        let plus = String(token.map { $0 == "-" ? "+" : $0 })
        let slash = String(token.map { $0 == "_" ? "/" : $0 })
        let both = String(plus.map { $0 == "_" ? "/" : $0 })
        for text in [plus, slash, both] { #expect(opener.open(text) == .refused(.alphabet)) }
    }

    @Test("a percent-encoded character is refused in any place, in either case", arguments: 0..<54)
    func percentEncoding(_ place: Int) throws {
        let byte = Array(token.utf8)[place]
        let digits = Hexadecimal.encode([byte])
        for escape in ["%" + digits, "%" + digits.uppercased()] {
            let text = token.prefix(place) + escape + token.dropFirst(place + 1)
            #expect(opener.open(text) == .refused(.length))
            // Cut to the right length, the percent sign is what is wrong.
            #expect(opener.open(text.prefix(54)) == .refused(.alphabet))
        }
    }

    @Test("upper and lower case are not the same")
    func letterCase() {
        #expect(opener.open(token.lowercased()).trackingID == nil)
        #expect(opener.open(token.uppercased()).trackingID == nil)
        for (place, character) in token.enumerated() where character.isLetter {
            let swapped = character.isUppercase ? character.lowercased() : character.uppercased()
            #expect(opener.open(token.prefix(place) + swapped + token.dropFirst(place + 1)).trackingID == nil)
        }
    }
}
