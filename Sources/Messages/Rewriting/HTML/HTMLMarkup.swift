/// Reads a document's markup once, in a time that grows only with its length, and without memory.
///
/// It does not know the elements of the tree. It distinguishes markup from text: comments, raw text and quoted
/// attributes contain no tags, even if their text looks like one.
struct HTMLMarkup {
    enum Piece {
        case tag(HTMLTag)
        /// A comment, declaration or instruction, with its delimiters.
        case comment(Range<Int>)
    }

    private let source: UnsafeBufferPointer<UInt8>
    private(set) var position = 0
    /// The beginning of the tag, comment or raw text whose end is missing; `nil` if none is, or before it was read.
    private(set) var unfinished: Int?

    init(_ source: UnsafeBufferPointer<UInt8>) { self.source = source }

    /// The next tag or comment; `nil` at the end.
    ///
    /// - Parameters:
    ///   - isForeign: whether an element may be open in which a parser reads raw text as markup.
    ///   - isDrawing: whether one is certainly open in which a self-closing tag has no content.
    mutating func next(isForeign: Bool, isDrawing: Bool) throws(BodyError) -> Piece? {
        while position < source.count {
            position = source.firstIndex(of: UInt8(ascii: "<"), in: position..<source.count)
            guard position < source.count else { return nil }
            if let tag = HTMLTag(source, at: position) {
                if !tag.isClosed { unfinished = position }
                position = tag.end
                if !tag.isEnd, !(tag.isSelfClosing && isDrawing) { try enter(tag, isForeign: isForeign) }
                return .tag(tag)
            }
            if let (end, isWhole) = try endOfComment(isForeign: isForeign) {
                if !isWhole { unfinished = position }
                defer { position = end }
                return .comment(position..<end)
            }
            position += 1
        }
        return nil
    }

    /// The end of the comment, declaration or instruction that begins here (HTML, 13.2.5.42 to 13.2.5.53).
    private func endOfComment(isForeign: Bool) throws(BodyError) -> (end: Int, isWhole: Bool)? {
        guard position + 1 < source.count else { return nil }
        if source.hasWord("<!--", at: position) {
            // `<!-->` and `<!--->` are whole comments.
            if source.hasWord(">", at: position + 4) { return (position + 5, true) }
            if source.hasWord("->", at: position + 4) { return (position + 6, true) }
            let end = endOfCommentText(from: position + 4)
            return (end ?? source.count, end != nil)
        }
        switch source[position + 1] {
        case UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "/"):
            let end = source.firstIndex(of: ">", from: position + 2).map { $0 + 1 }
            // libgumbo ends the process at text behind it in some places.
            if isForeign, source.hasWord("<![cdata[", at: position) { throw .undecidable }
            return (end ?? source.count, end != nil)
        default: return nil
        }
    }

    private func endOfCommentText(from start: Int) -> Int? {
        var position = start
        while let dashes = source.firstIndex(of: "--", from: position) {
            if source.hasWord(">", at: dashes + 2) { return dashes + 3 }
            if source.hasWord("!>", at: dashes + 2) { return dashes + 4 }
            position = dashes + 1
        }
        return nil
    }

    /// Skips the text of an element that contains no markup.
    private mutating func enter(_ tag: HTMLTag, isForeign: Bool) throws(BodyError) {
        let end: Int
        switch tag.element {
        case .plaintext: end = source.count
        case .iframe, .noembed, .noframes, .script, .style, .textarea, .title, .xmp: end = endOfRawText(tag.name)
        default: return
        }
        let text = UnsafeBufferPointer(rebasing: source[position..<end])
        if isForeign, text.contains(UInt8(ascii: "<")) { throw .undecidable }
        if tag.element == .script, text.firstIndex(of: "<!--", from: 0) != nil,
            text.firstIndex(of: "<script", from: 0) != nil
        {
            throw .undecidableScript
        }
        if end == source.count, unfinished == nil { unfinished = tag.name.lowerBound - 1 }
        position = end
    }

    private func endOfRawText(_ name: Range<Int>) -> Int {
        var position = self.position
        while let end = source.firstIndex(of: "</", from: position) {
            let word = end + 2..<end + 2 + name.count
            if word.upperBound >= source.count { return source.count }
            let next = source[word.upperBound]
            if source.isSameWord(name, word), next.isHTMLSpace || next == UInt8(ascii: "/") || next == UInt8(ascii: ">")
            {
                return end
            }
            position = end + 2
        }
        return source.count
    }
}
