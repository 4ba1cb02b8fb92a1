import Foundation
import Identifiers
import TestSupport
import Testing

/// `Vectors/recipients.json`, which other implementations can use too.
private struct RecipientVectors: Decodable {
    struct Group: Decodable, CustomTestStringConvertible {
        let why: String
        let spellings: [String]
        var testDescription: String { why }
    }

    /// The spellings of a group are one recipient.
    let same: [Group]
    /// The spellings of a group are each another recipient.
    let different: [Group]

    static let all: RecipientVectors? = {
        guard let file = Bundle.module.url(forResource: "Vectors/recipients", withExtension: "json"),
            let data = try? Data(contentsOf: file)
        else { return nil }
        return try? JSONDecoder().decode(RecipientVectors.self, from: data)
    }()
}

@Suite struct RecipientKeyTests {
    private func key(_ text: String, by comparison: RecipientComparison = .email) throws -> [UInt8] {
        Array(RecipientKey(try RecipientID(text), by: comparison).text.utf8)
    }

    @Test("the vectors are there")
    func vectors() throws {
        let all = try #require(RecipientVectors.all)
        #expect(all.same.count > 10)
        #expect(all.different.count > 10)
    }

    @Test("spellings of one address are one recipient", arguments: RecipientVectors.all?.same ?? [])
    fileprivate func same(_ group: RecipientVectors.Group) throws {
        #expect(Set(try group.spellings.map { try key($0) }).count == 1)
    }

    @Test(
        "what is no spelling of an address is compared byte for byte", arguments: RecipientVectors.all?.different ?? [])
    fileprivate func different(_ group: RecipientVectors.Group) throws {
        #expect(Set(try group.spellings.map { try key($0) }).count == group.spellings.count)
    }

    @Test("under exact comparison every spelling is a recipient of its own")
    func exact() throws {
        let all = try #require(RecipientVectors.all)
        for text in (all.same + all.different).flatMap(\.spellings) {
            #expect(try key(text, by: .exact).elementsEqual(text.utf8))
            #expect(RecipientKey(try RecipientID(text), by: .exact).isRespelled == false)
        }
    }

    @Test("a key is its own key, so no two recipients share one by chance")
    func idempotent() throws {
        let all = try #require(RecipientVectors.all)
        for text in (all.same + all.different).flatMap(\.spellings) {
            let once = RecipientKey(try RecipientID(text), by: .email)
            let twice = RecipientKey(try RecipientID(once.text), by: .email)
            #expect(twice.isRespelled == false, "\(text.utf8.count) bytes")
            #expect(once.isRespelled == !once.text.utf8.elementsEqual(text.utf8))
        }
    }

    @Test("a key is its own key for random texts of the characters that matter")
    func random() throws {
        var generator = SeededGenerator(seed: 7)
        let pieces = [
            "a", "A", "é", "e\u{301}", "\u{301}", "ß", "ẞ", "ς", "Σ", "İ", "ı", "ǰ", "\u{345}", "ᾼ", "\u{37E}", "@",
            "@",
            "@", ".", "-", "xn--", "bcher-kva", "ü", "。", "Ａ", "\u{AD}", "\u{200D}", "א", "1", "Ꭰ", "ꭰ", "\u{1D160}",
            "_", "\"",
        ]
        var compared = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 1...12, using: &generator))
                .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let key = RecipientKey(try RecipientID(text), by: .email)
            guard let again = try? RecipientID(key.text) else { continue }
            compared += 1
            #expect(RecipientKey(again, by: .email).text.utf8.elementsEqual(key.text.utf8), "\(Array(text.utf8))")
        }
        #expect(compared > 10_000)
    }

    @Test("an address that grows past the length of a recipient under normalization keeps its key")
    func growing() throws {
        // U+1D160 has no composed form: four bytes become twelve.
        let long = String(repeating: "\u{1D160}", count: 60) + "@example.com"
        let decomposed = String(repeating: "\u{1D158}\u{1D165}\u{1D16E}", count: 20) + "@example.com"
        #expect(try key(long).count > RecipientID.maximumLength)
        #expect(try key(decomposed) == key(String(repeating: "\u{1D160}", count: 20) + "@EXAMPLE.com"))
    }

    @Test("a key says nothing of the person when it is printed")
    func silent() throws {
        #expect("\(RecipientKey(try RecipientID("ana@example.com"), by: .email))" == "(recipient)")
    }
}
