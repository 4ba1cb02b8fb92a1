import ASCII

/// Finds the end of a URL in a text, in one pass over its bytes.
///
/// Brackets are counted on the way, so each byte costs a fixed number of steps for any length of the URL and any number
/// of brackets.
///
/// A character that a URL cannot have, such as a dash, ends it only if no part of a word follows without a space.
/// Otherwise people mean one URL, and a mail program would take the rest for a part of the link.
struct TextURLReach {
    private let start: Int
    /// Such characters before this place are known to be within the URL.
    private var passable = 0
    /// The first byte after the characters that a URL may have. Punctuation of the sentence can be before it.
    private(set) var end: Int
    /// Whether it contains `[[`, which opens a placeholder. That may contain quotes and white space, which end the URL.
    private(set) var passesDoubleBracket = false
    /// Whether a placeholder follows the characters behind ``end`` that a URL cannot have, without a gap.
    private(set) var meetsPlaceholder = false
    /// The quote that ends the URL if no part of a word follows.
    private let quote: StaticString?
    /// Whether a value in such quotes began in the URL, as in `?name='x'`.
    private var isInQuotedValue = false
    private var brackets = [
        BracketBalance(opening: UInt8(ascii: "("), closing: UInt8(ascii: ")")),
        BracketBalance(opening: UInt8(ascii: "["), closing: UInt8(ascii: "]")),
    ]

    /// - Parameters:
    ///   - start: the first byte after `://`.
    ///   - opener: the byte before the URL.
    ///   - quote: the quote that closes the one before the URL.
    init(_ source: some IndexedBytes, from start: Int, openedBy opener: UInt8?, quote: StaticString?) {
        self.start = start
        self.quote = quote
        end = start
        var slashes = 0
        while end < source.count {
            let byte = source[end]
            if let quote, source.hasWord(quote, at: end), closes(quote, source) { return }
            if byte >= 0x80 {
                let last = end > start ? source[end - 1] : nil
                let isInPath = slashes > (last == UInt8(ascii: "/") ? 1 : 0)
                guard let scalar = source.scalar(at: end),
                    scalar.continuesURL(behind: last, isInPath: isInPath) || isWithinURL(source)
                else { return }
                end += UTF8.width(scalar)
                continue
            }
            guard byte.isURLCharacter || isWithinURL(source), !Self.endsList(source, end),
                !closes(opener, with: byte, in: source)
            else { return }
            if byte == UInt8(ascii: "/") { slashes += 1 }
            if byte == UInt8(ascii: "["), end > start, source[end - 1] == byte { passesDoubleBracket = true }
            for kind in brackets.indices { brackets[kind].take(byte, at: end) }
            end += 1
        }
    }

    /// The end without the punctuation after the URL, which belongs to the sentence.
    ///
    /// - Parameter emphasis: the byte before the URL; the same byte after it is no part of the URL either.
    func endWithoutPunctuation(_ source: some IndexedBytes, emphasis: UInt8?) -> Int {
        let emphasis = emphasis.flatMap { "*_~'".utf8.contains($0) ? $0 : nil }
        var end = end
        while end > start {
            let last = source[end - 1]
            // Matching brackets are never removed, so it is enough to know the last one that matched.
            let isUnopened = brackets.contains { $0.closing == last && $0.lastMatch != end - 1 }
            guard isUnopened || last == emphasis || last.endsSentence else { break }
            end -= 1
        }
        return end
    }

    /// Whether the character at `end`, which a URL cannot have, is within one.
    private mutating func isWithinURL(_ source: some IndexedBytes) -> Bool {
        if end < passable { return true }
        guard !source.opensPlaceholder(at: end), !source.opensPlaceholder(at: end - 1),
            source[end] != UInt8(ascii: "{"), let next = nextOfWord(source, from: end)
        else { return false }
        passable = next
        return true
    }

    /// The place of a following letter, digit or slash, with nothing in between that ends a URL; `nil` if there is
    /// none. Takes note of a placeholder there.
    private mutating func nextOfWord(_ source: some IndexedBytes, from start: Int) -> Int? {
        var position = start
        while position < source.count {
            guard !source.opensPlaceholder(at: position), !source.opensNamedField(at: position) else {
                meetsPlaceholder = true
                return nil
            }
            let byte = source[position]
            if byte >= 0x80 {
                guard let scalar = source.scalar(at: position), !scalar.endsURL else { return nil }
                if scalar.beginsWord { return position }
                position += UTF8.width(scalar)
                continue
            }
            guard !byte.endsURL, !source.hasURLScheme(at: position) else { return nil }
            if byte.isLetterOrDigit || byte == UInt8(ascii: "/") { return position }
            position += 1
        }
        return nil
    }

    /// A comma or semicolon before the next URL.
    private static func endsList(_ source: some IndexedBytes, _ position: Int) -> Bool {
        (source[position] == UInt8(ascii: ",") || source[position] == UInt8(ascii: ";"))
            && source.hasURLScheme(at: position + 1)
    }

    /// Whether `byte` closes the bracket that was opened before the URL, or the one between text and URL of a Markdown
    /// link.
    private func closes(_ opener: UInt8?, with byte: UInt8, in source: some IndexedBytes) -> Bool {
        guard let bracket = brackets.first(where: { $0.closing == byte }), bracket.openCount == 0 else { return false }
        return opener == bracket.opening || source.hasWord("](", at: end)
    }

    /// Whether the quote at `end` closes the one before the URL. It does not if a word follows it as in `l'offre` and
    /// `Guns_N'_Roses`, or a placeholder, or if it is one of two around a value.
    private mutating func closes(_ quote: StaticString, _ source: some IndexedBytes) -> Bool {
        if isInQuotedValue || end > start && "=(,".utf8.contains(source[end - 1]) {
            isInQuotedValue.toggle()
            return false
        }
        let next = end + quote.utf8CodeUnitCount
        guard next < source.count else { return true }
        guard !source.opensPlaceholder(at: next), !source.opensNamedField(at: next), !source.hasWord("[[", at: next),
            !source.hasWord("{", at: next), !source.hasWord("{", at: next + 1), source[next] != UInt8(ascii: "$")
        else { return false }
        guard source[next] >= 0x80 else { return !source[next].isLetterOrDigit && source[next] != UInt8(ascii: "_") }
        return source.scalar(at: next).map { $0.endsURL || !$0.beginsWord } ?? true
    }
}

/// The brackets of one kind, up to the present place of a pass over a text.
struct BracketBalance {
    let opening: UInt8
    let closing: UInt8
    /// How many are open. A closing bracket without an opening one does not count.
    private(set) var openCount = 0
    /// The place of the last bracket that closed another one.
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
