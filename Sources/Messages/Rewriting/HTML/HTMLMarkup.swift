/// Goes through a document's markup once, in a time that grows with its length alone, and without memory.
///
/// It does not know which elements a tree will have. It knows what is markup and what is text: comments, raw text and
/// quoted attributes hold no tags, however they look.
struct HTMLMarkup {
    enum Piece {
        case tag(HTMLTag)
        /// A comment, declaration or instruction, with its delimiters.
        case comment(Range<Int>)
    }

    private let source: UnsafeBufferPointer<UInt8>
    private(set) var place = 0

    init(_ source: UnsafeBufferPointer<UInt8>) { self.source = source }

    /// The next tag or comment; `nil` at the end.
    ///
    /// - Parameter isForeign: whether an element may be open in which a parser reads raw text as markup.
    mutating func next(isForeign: Bool) throws(BodyError) -> Piece? {
        while place < source.count {
            guard source[place] == UInt8(ascii: "<") else {
                place += 1
                continue
            }
            if let tag = HTMLTag(source, at: place) {
                place = tag.end
                if !tag.isEnd { try enter(tag, isForeign: isForeign) }
                return .tag(tag)
            }
            if let end = try endOfComment(isForeign: isForeign) {
                defer { place = end }
                return .comment(place..<end)
            }
            place += 1
        }
        return nil
    }

    /// The end of the comment, declaration or instruction that begins here (HTML, 13.2.5.42 to 13.2.5.53).
    private func endOfComment(isForeign: Bool) throws(BodyError) -> Int? {
        guard place + 1 < source.count else { return nil }
        if source.hasWord("<!--", at: place) {
            // `<!-->` and `<!--->` are whole comments.
            if source.hasWord(">", at: place + 4) { return place + 5 }
            if source.hasWord("->", at: place + 4) { return place + 6 }
            return endOfCommentText(from: place + 4)
        }
        switch source[place + 1] {
        case UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "/"):
            let end = endOfText(">", from: place + 2)
            if isForeign, source.hasWord("<![cdata[", at: place), endOfText("]]>", from: place) != end {
                throw .undecidable
            }
            return end
        default: return nil
        }
    }

    private func endOfCommentText(from start: Int) -> Int {
        var place = start
        while let dashes = source.firstIndex(of: "--", from: place) {
            if source.hasWord(">", at: dashes + 2) { return dashes + 3 }
            if source.hasWord("!>", at: dashes + 2) { return dashes + 4 }
            place = dashes + 1
        }
        return source.count
    }

    private func endOfText(_ text: StaticString, from start: Int) -> Int {
        source.firstIndex(of: text, from: start).map { $0 + text.utf8CodeUnitCount } ?? source.count
    }

    /// Passes the text of an element that holds no markup.
    private mutating func enter(_ tag: HTMLTag, isForeign: Bool) throws(BodyError) {
        let isScript = source.isWord("script", in: tag.name)
        let isPlain = source.isWord("plaintext", in: tag.name)
        guard isScript || isPlain || Self.rawText.contains(where: { source.isWord($0, in: tag.name) }) else { return }
        let end = isPlain ? source.count : endOfRawText(tag.name)
        let text = UnsafeBufferPointer(rebasing: source[place..<end])
        if isForeign, text.contains(UInt8(ascii: "<")) { throw .undecidable }
        if isScript, text.firstIndex(of: "<!--", from: 0) != nil, text.firstIndex(of: "<script", from: 0) != nil {
            throw .undecidable
        }
        place = end
    }

    private func endOfRawText(_ name: Range<Int>) -> Int {
        var place = self.place
        while let end = source.firstIndex(of: "</", from: place) {
            let word = end + 2..<end + 2 + name.count
            if word.upperBound >= source.count { return source.count }
            let next = source[word.upperBound]
            if source.isSameWord(name, word), next.isHTMLSpace || next == UInt8(ascii: "/") || next == UInt8(ascii: ">")
            {
                return end
            }
            place = end + 2
        }
        return source.count
    }

    private static let rawText: [StaticString] = [
        "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes",
    ]
}
