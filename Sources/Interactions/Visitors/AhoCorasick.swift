/// Finds which of many words stand in a text, in one pass over its bytes whatever the number of words
/// (Aho and Corasick, "Efficient string matching", 1975). Every click has its user agent looked at, hence the effort.
struct AhoCorasick: Sendable {
    /// Bytes that no word has share one column.
    private let columnOfByte: [UInt8]
    private let columns: Int
    /// For each state and column, the next state.
    private var next: [UInt16]
    /// For each state, the first in the list of the words that end there; `Int16.max` for none.
    private var found: [Int16]

    /// - Parameter words: in lower case; upper-case letters of a text are taken for lower-case ones. At most 65,535
    ///   bytes and 32,767 words.
    init(words: [[UInt8]]) {
        var columnOfByte = [UInt8](repeating: 0, count: 256)
        let alphabet = Set(words.joined()).sorted()
        for (column, byte) in alphabet.enumerated() { columnOfByte[Int(byte)] = UInt8(column + 1) }
        for byte in UInt8(ascii: "A")...UInt8(ascii: "Z") { columnOfByte[Int(byte)] = columnOfByte[Int(byte | 0x20)] }
        self.columnOfByte = columnOfByte
        columns = alphabet.count + 1
        next = [UInt16](repeating: 0, count: columns)
        found = [.max]
        for (index, word) in words.enumerated() { add(word, Int16(index)) }
        linkFailures()
    }

    private mutating func add(_ word: [UInt8], _ index: Int16) {
        var state = 0
        for byte in word {
            let cell = state * columns + Int(columnOfByte[Int(byte)])
            if next[cell] == 0 {
                next[cell] = UInt16(found.count)
                found.append(.max)
                next.append(contentsOf: repeatElement(0, count: columns))
            }
            state = Int(next[cell])
        }
        found[state] = min(found[state], index)
    }

    /// Makes every missing step lead where the longest suffix that is still a beginning of a word would go.
    private mutating func linkFailures() {
        var failure = [Int](repeating: 0, count: found.count)
        var queue = (0..<columns).map { Int(next[$0]) }.filter { $0 != 0 }
        var head = 0
        while head < queue.count {
            let state = queue[head]
            head += 1
            found[state] = min(found[state], found[failure[state]])
            for column in 0..<columns {
                let fallback = next[failure[state] * columns + column]
                let child = Int(next[state * columns + column])
                if child == 0 {
                    next[state * columns + column] = fallback
                } else {
                    failure[child] = Int(fallback)
                    queue.append(child)
                }
            }
        }
    }

    /// The index of the first word in the list that occurs anywhere in `text`; `nil` when none does.
    func firstWord(in text: Span<UInt8>) -> Int? {
        // One look at the arrays' bounds for all bytes: what is in them leads nowhere else.
        let (next, columnOfByte, found) = (next.span, columnOfByte.span, found.span)
        var state = 0
        var best = Int16.max
        for index in text.indices {
            state = Int(next[state * columns + Int(columnOfByte[Int(text[index])])])
            best = min(best, found[state])
        }
        return best == .max ? nil : Int(best)
    }
}
