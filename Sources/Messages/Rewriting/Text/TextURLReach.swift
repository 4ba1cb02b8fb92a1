/// Where a URL in a text ends, found in one pass over its bytes.
///
/// Brackets are counted as they are passed, so each byte costs a fixed number of steps however long the URL is and
/// however many brackets it has.
struct TextURLReach {
    private let start: Int
    /// The first byte behind the characters that a URL may have. Punctuation of the sentence can stand before it.
    private(set) var end: Int
    private var brackets = [
        BracketBalance(opening: UInt8(ascii: "("), closing: UInt8(ascii: ")")),
        BracketBalance(opening: UInt8(ascii: "["), closing: UInt8(ascii: "]")),
    ]

    /// - Parameters:
    ///   - start: the first byte behind `://`.
    ///   - opener: the byte before the URL.
    init(_ source: some IndexedBytes, from start: Int, openedBy opener: UInt8?) {
        self.start = start
        end = start
        var slashes = 0
        while end < source.count {
            let byte = source[end]
            if byte >= 0x80 {
                let last = end > start ? source[end - 1] : nil
                let isInPath = slashes > (last == UInt8(ascii: "/") ? 1 : 0)
                guard let scalar = source.scalar(at: end), scalar.continuesURL(behind: last, isInPath: isInPath) else {
                    return
                }
                end += UTF8.width(scalar)
                continue
            }
            guard byte.isURLCharacter, !Self.endsList(source, end), !closes(opener, byte, source) else { return }
            if byte == UInt8(ascii: "/") { slashes += 1 }
            for kind in brackets.indices { brackets[kind].take(byte, at: end) }
            end += 1
        }
    }

    /// The end without the punctuation behind the URL, which belongs to the sentence.
    ///
    /// - Parameter emphasis: the byte before the URL; the same byte behind it is no part of the URL either.
    func endWithoutPunctuation(_ source: some IndexedBytes, emphasis: UInt8?) -> Int {
        let emphasis = emphasis.flatMap { "*_~'".utf8.contains($0) ? $0 : nil }
        var end = end
        while end > start {
            let last = source[end - 1]
            // Brackets that match are never passed, so the last that matched decides about this one.
            let isUnopened = brackets.contains { $0.closing == last && $0.lastMatch != end - 1 }
            guard isUnopened || last == emphasis || last.endsSentence else { break }
            end -= 1
        }
        return end
    }

    /// A comma or semicolon before the next URL.
    private static func endsList(_ source: some IndexedBytes, _ position: Int) -> Bool {
        (source[position] == UInt8(ascii: ",") || source[position] == UInt8(ascii: ";"))
            && (source.hasWord("http://", at: position + 1) || source.hasWord("https://", at: position + 1)
                || source.hasWord("https+notrack://", at: position + 1))
    }

    /// The bracket that was opened before the URL, or the one between text and URL of a Markdown link.
    private func closes(_ opener: UInt8?, _ byte: UInt8, _ source: some IndexedBytes) -> Bool {
        guard let bracket = brackets.first(where: { $0.closing == byte }), bracket.openCount == 0 else { return false }
        return opener == bracket.opening || source.hasWord("](", at: end)
    }
}

/// The brackets of one kind, up to where a pass over a text has come.
struct BracketBalance {
    let opening: UInt8
    let closing: UInt8
    /// How many are opened and not closed. A bracket that closes none does not count.
    private(set) var openCount = 0
    /// Where the last bracket stands that closed another one.
    private(set) var lastMatch: Int?

    init(opening: UInt8, closing: UInt8) {
        self.opening = opening
        self.closing = closing
    }

    mutating func take(_ byte: UInt8, at position: Int) {
        if byte == opening {
            openCount += 1
        } else if byte == closing, openCount > 0 {
            openCount -= 1
            lastMatch = position
        }
    }
}

extension UInt8 {
    fileprivate var endsSentence: Bool {
        switch self {
        case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "!"),
            UInt8(ascii: "?"), UInt8(ascii: "'"):
            true
        default: false
        }
    }
}
