import Cryptography
import Identifiers
import TestSupport
import Testing

@testable import Console

@Suite struct SealedValuesTests {
    private let sealed: SealedValues
    private let holder: SessionToken
    private let other: SessionToken
    private let text: String

    init() throws {
        var generator = SeededGenerator(seed: 3)
        sealed = try SealedValues(erasureKey: SecretBytes(Array(repeating: 1, count: 32)))
        holder = SessionToken(using: &generator)
        other = SessionToken(using: &generator)
        text = try sealed.seal("ana@example.com", for: "case 1", holder: holder, until: .noon + 900_000)
    }

    @Test("opens for its use, in its session, until its end")
    func opens() throws {
        #expect(sealed.open(text, for: "case 1", holder: holder, at: .noon) == "ana@example.com")
        #expect(sealed.open(text, for: "case 2", holder: holder, at: .noon) == nil)
        #expect(sealed.open(text, for: "case 1", holder: other, at: .noon) == nil)
        #expect(sealed.open(text, for: "case 1", holder: holder, at: .noon + 900_000) == nil)
        let elsewhere = try SealedValues(erasureKey: SecretBytes(Array(repeating: 2, count: 32)))
        #expect(elsewhere.open(text, for: "case 1", holder: holder, at: .noon) == nil)
    }

    @Test("does not open when it ends later than any value that is sealed now")
    func future() throws {
        let longest = Timestamp.noon + SealedValues.maximumLifetime
        for (end, isOpen) in [(longest + 60_000, true), (longest + 60_001, false), (.distantFuture, false)] {
            let text = try sealed.seal("x", for: "y", holder: holder, until: end)
            #expect((sealed.open(text, for: "y", holder: holder, at: .noon) != nil) == isOpen)
        }
    }

    @Test("nothing of the text shows, and nothing that was changed opens")
    func changed() throws {
        let bytes = try Base64URL.decode(text)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("ana"))
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(sealed.open(Base64URL.encode(changed), for: "case 1", holder: holder, at: .noon) == nil)
        }
        for text in ["", "AA", "not base64!", Base64URL.encode(Array(bytes.dropLast()))] {
            #expect(sealed.open(text, for: "case 1", holder: holder, at: .noon) == nil)
        }
    }
}
