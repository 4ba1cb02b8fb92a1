import Identifiers
import TestSupport
import Testing

@Suite struct RecipientIDTests {
    @Test(
        "any text of 1 to 256 bytes without control characters is a recipient",
        arguments: [
            "a", " ", "ana@example.com", "Ана", "\u{1F469}\u{200D}\u{1F4BB}", "a b", #"{"id":1}"#, "\u{2028}", "\u{A0}",
            "\u{AD}", "\u{BF}", "\u{100}\u{800}",
            "\u{FEFF}", String(repeating: "a", count: 256), String(repeating: "é", count: 128),
        ]
    )
    func accepted(_ text: String) throws {
        #expect(try RecipientID(text).text.utf8.elementsEqual(text.utf8))
    }

    @Test(
        "bytes count, not characters",
        arguments: [
            String(repeating: "a", count: 257), String(repeating: "é", count: 129),
            "a" + String(repeating: "é", count: 128),
        ]
    )
    func tooLong(_ text: String) {
        #expect(throws: IdentifierError.recipientTooLong) { try RecipientID(text) }
    }

    @Test("an empty text is no recipient")
    func empty() {
        #expect(throws: IdentifierError.recipientEmpty) { try RecipientID("") }
    }

    @Test("no control character is taken, of ASCII nor of Latin-1, wherever it stands")
    func controlCharacters() throws {
        for value in Array(0x00...0x1F) + Array(0x7F...0x9F) {
            let control = String(try #require(Unicode.Scalar(UInt32(value))))
            for text in [control, "a" + control, control + "a", "a\(control)b"] {
                #expect(throws: IdentifierError.recipientHasControlCharacter, "U+\(String(value, radix: 16))") {
                    try RecipientID(text)
                }
            }
        }
    }

    @Test(
        "two spellings of what looks the same are two people",
        arguments: [
            ("\u{E9}", "e\u{301}"), ("\u{212B}", "\u{C5}"), ("\u{AC00}", "\u{1100}\u{1161}"),
            ("ana@example.com", "Ana@example.com"),
            ("ana@example.com", "ana@example.com "), ("a", "\u{430}"),
        ]
    )
    func bytewise(_ one: String, _ other: String) throws {
        let (one, other) = (try RecipientID(one), try RecipientID(other))
        #expect(one != other)
        #expect(Set([one, other]).count == 2)
    }

    @Test("the same bytes are the same person, with the same hash")
    func same() throws {
        #expect(try RecipientID("e\u{301}") == RecipientID("e\u{301}"))
        #expect(try Set([RecipientID("ana"), RecipientID("ana")]).count == 1)
    }

    @Test("no interpolation shows who it is")
    func description() throws {
        let ana = try RecipientID("ana@example.com")
        let shown = ["\(ana)", String(describing: ana), "\([ana])", "\(Optional(ana) as Any)"]
        for text in shown { #expect(!text.contains("ana"), "\(text)") }
    }

    @Test("no error shows what was given")
    func errors() {
        for text in ["ana\u{0}@example.com", "ana@example.com" + String(repeating: "a", count: 300)] {
            do {
                _ = try RecipientID(text)
                Issue.record("was taken")
            } catch {
                #expect(!"\(error)".contains("ana"))
            }
        }
    }
}

@Suite struct RecipientReferenceTests {
    @Test("zero stands for nobody, so it is no reference")
    func zero() {
        #expect(RecipientReference(rawValue: 0) == nil)
        #expect(RecipientReference(rawValue: 1)?.rawValue == 1)
        #expect(RecipientReference(rawValue: .max)?.rawValue == .max)
    }

    @Test("new ones differ, and use all 64 bits")
    func random() {
        var generator = SeededGenerator(seed: 1)
        let references = Set((0..<10_000).map { _ in RecipientReference(using: &generator) })
        #expect(references.count == 10_000)
        #expect(references.reduce(0) { $0 | $1.rawValue } == .max)
    }

    @Test("those of a run share 16 bits, the next run has others, and each has 48 of its own")
    func runs() {
        var generator = SeededGenerator(seed: 2)
        var sequence = RecipientReferenceSequence()
        let runs = (0..<40).map { _ in
            (0..<RecipientReferenceSequence.runLength).map { _ in sequence.next(using: &generator).rawValue }
        }
        for run in runs { #expect(Set(run.map { $0 >> 48 }).count == 1) }
        #expect(Set(runs.map { $0[0] >> 48 }).count > 35)
        #expect(Set(runs.joined().map { $0 << 16 }).count == 40 * RecipientReferenceSequence.runLength)
        #expect(runs.joined().reduce(0, |) == .max)
        #expect(runs.joined().reduce(.max, &) == 0)
    }

    @Test("a reference is never zero, whatever the generator returns")
    func neverZero() {
        var generator = ZeroesFirst()
        var sequence = RecipientReferenceSequence()
        #expect(sequence.next(using: &generator).rawValue == 77)
    }

    /// Returns what gives the shared bits 0, then own bits 0, then others.
    private struct ZeroesFirst: RandomNumberGenerator {
        private var numbers: [UInt64] = [1 << 20, 1 << 63, 77]

        mutating func next() -> UInt64 { numbers.isEmpty ? 99 : numbers.removeFirst() }
    }

    @Test("no interpolation shows the number")
    func description() throws {
        let reference = try #require(RecipientReference(rawValue: 77))
        #expect(!"\(reference)".contains("77"))
    }
}
