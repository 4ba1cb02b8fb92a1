import TestSupport
import Testing

@testable import Interactions

@Suite struct AhoCorasickTests {
    private func firstWord(of words: [String], in text: String) -> Int? {
        let automaton = AhoCorasick(words: words.map { Array($0.utf8) })
        return automaton.firstWord(in: text.utf8Span.span)
    }

    @Test(
        "the word that stands first in the list counts, wherever the words stand in the text",
        arguments: [
            (["one", "two"], "two one", 0), (["one", "two"], "a two", 1), (["one", "two"], "tw o on e", nil),
            (["abc", "b"], "abx", 1), (["b", "abc"], "abc", 0), (["abc", "b"], "abc", 0), (["bc", "abcd"], "abce", 0),
            (["abcd", "bce"], "abce", 1), (["aab"], "aaab", 0), (["abab"], "abaabab", 0), (["a"], "", nil),
            (["bot", "robot"], "ROBOT", 0), (["robot", "bot"], "roBOT", 0), ([], "anything", nil),
            (["a-/ "], "x A-/ ", 0),
        ] as [([String], String, Int?)]
    )
    func examples(_ words: [String], _ text: String, _ place: Int?) {
        #expect(firstWord(of: words, in: text) == place)
    }

    @Test("it finds what a search for each word in turn finds")
    func naive() {
        var generator = SeededGenerator(seed: 1)
        func text(_ length: ClosedRange<Int>, _ alphabet: [UInt8]) -> [UInt8] {
            (0..<Int.random(in: length, using: &generator)).map { _ in
                alphabet[Int.random(in: alphabet.indices, using: &generator)]
            }
        }
        for _ in 0..<3000 {
            let words = (0..<Int.random(in: 1...8, using: &generator)).map { _ in text(1...5, Array("abc-".utf8)) }
            let automaton = AhoCorasick(words: words)
            for _ in 0..<4 {
                let haystack = text(0...14, Array("abcABC-x\u{E9}".utf8))
                let lowered = haystack.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
                let expected = words.firstIndex { word in
                    lowered.indices.contains { lowered[$0...].starts(with: word) }
                }
                let found = automaton.firstWord(in: haystack.span)
                #expect(found == expected, "\(words) in \(haystack)")
            }
        }
    }
}
