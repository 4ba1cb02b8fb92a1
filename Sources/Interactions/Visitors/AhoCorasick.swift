/// Finds which of many words occur in a text, in one pass over its bytes for any number of words (Aho and Corasick,
/// "Efficient string matching", 1975). It is fast because every click has its user agent checked.
struct AhoCorasick: Sendable {
    /// For each of the 256 bytes. Bytes that are in no word share one column.
    private let columnOfByte: [UInt8]
    /// For each state and column: the next state's row in this array and, in the bits above it, the first word of the
    /// list that ends there. So each byte takes one read.
    private let next: [UInt32]

    private static let rowBits: UInt32 = 20
    private static let none = UInt32.max >> rowBits

    /// - Parameter words: in lower case. Upper-case letters of a text match them. At most 4,094 words, with at most as
    ///   many bytes as give a million steps.
    init(words: [[UInt8]]) {
        var columnOfByte = [UInt8](repeating: 0, count: 256)
        let alphabet = Set(words.joined()).sorted()
        for (column, byte) in alphabet.enumerated() { columnOfByte[Int(byte)] = UInt8(column + 1) }
        for byte in UInt8(ascii: "A")...UInt8(ascii: "Z") { columnOfByte[Int(byte)] = columnOfByte[Int(byte | 0x20)] }
        let trie = Trie(words, columnOfByte, columns: alphabet.count + 1)
        precondition(words.count < Self.none && trie.next.count < 1 << Self.rowBits)
        self.columnOfByte = columnOfByte
        next = trie.next.map { state in
            UInt32(trie.found[state] ?? Int(Self.none)) << Self.rowBits | UInt32(state * trie.columns)
        }
    }

    /// The index of the first word in the list that occurs anywhere in `text`; `nil` if none does.
    func firstWord(in text: Span<UInt8>) -> Int? {
        // Bounds need not be checked: every byte has a column, and every value in the table leads to one of its rows.
        let (next, columnOfByte) = (next.span, columnOfByte.span)
        var cell = Self.none << Self.rowBits
        var best = Self.none
        for index in text.indices {
            let column = columnOfByte[unchecked: Int(text[unchecked: index])]
            cell = next[unchecked: Int(cell & (1 << Self.rowBits - 1)) + Int(column)]
            best = min(best, cell >> Self.rowBits)
        }
        return best == Self.none ? nil : Int(best)
    }
}

/// The automaton while it is built. States are in the order in which words need them.
private struct Trie {
    let columns: Int
    /// For each state and column, the next state.
    private(set) var next: [Int]
    /// For each state, the first word of the list that ends there.
    private(set) var found: [Int?]

    init(_ words: [[UInt8]], _ columnOfByte: [UInt8], columns: Int) {
        self.columns = columns
        next = [Int](repeating: 0, count: columns)
        found = [nil]
        for (index, word) in words.enumerated() { add(word.map { Int(columnOfByte[Int($0)]) }, index) }
        linkFailures()
    }

    private mutating func add(_ word: [Int], _ index: Int) {
        var state = 0
        for column in word {
            let cell = state * columns + column
            if next[cell] == 0 {
                next[cell] = found.count
                found.append(nil)
                next.append(contentsOf: repeatElement(0, count: columns))
            }
            state = next[cell]
        }
        found[state] = found[state] ?? index
    }

    /// Makes every missing step lead to the state for the longest suffix that is still a prefix of a word.
    private mutating func linkFailures() {
        var failure = [Int](repeating: 0, count: found.count)
        var queue = (0..<columns).map { next[$0] }.filter { $0 != 0 }
        var head = 0
        while head < queue.count {
            let state = queue[head]
            head += 1
            found[state] = [found[state], found[failure[state]]].compactMap(\.self).min()
            for column in 0..<columns {
                let fallback = next[failure[state] * columns + column]
                let child = next[state * columns + column]
                if child == 0 {
                    next[state * columns + column] = fallback
                } else {
                    failure[child] = fallback
                    queue.append(child)
                }
            }
        }
    }
}
