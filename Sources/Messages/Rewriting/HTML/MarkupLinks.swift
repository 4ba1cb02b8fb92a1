/// What a document's markup alone shows: the tags of its links, its comments, and the end of its body.
///
/// In most documents each link's tag becomes an element, wherever a parser puts it. A tree is needed if a parser
/// ignores tags, reads text as markup, or hides elements: see ``needsTree``.
struct MarkupLinks {
    private(set) var needsTree = false
    private(set) var tags: [HTMLTag] = []
    /// Whole comments, with their delimiters.
    private(set) var comments: [Range<Int>] = []
    /// The beginning of the body's last end tag.
    private(set) var endOfBody: Int?
    var pixelPlace = PixelPlace()
    /// Whether it is marked as AMP for mail.
    private(set) var isAMP = false

    /// - Parameter open: the elements that may be open before the tag.
    mutating func take(_ tag: HTMLTag, behind open: OpenElements, _ source: UnsafeBufferPointer<UInt8>) {
        if tag.element == .html, !tag.isEnd, !isAMP { isAMP = Self.saysAMP(tag, source) }
        pixelPlace.take(tag)
        guard !needsTree, tag.isClosed else { return }
        if tag.isEnd {
            guard tag.element == .body else { return }
            // In a table, and in other elements that bound a scope, a parser ignores it.
            guard !open.mayBoundScope else { return needsTree = true }
            endOfBody = tag.name.lowerBound - 2
        } else if Self.isLink(tag, source) {
            tags.append(tag)
        } else if Self.isExceptional(tag) {
            needsTree = true
        }
    }

    mutating func takeComment(_ range: Range<Int>, _ source: UnsafeBufferPointer<UInt8>) {
        // After it, the parser's positions of tags are wrong.
        if source.hasWord("</>", at: range.lowerBound) { needsTree = true }
        guard range.count >= 7, source.hasWord("<!--", at: range.lowerBound),
            source.hasWord("-->", at: range.upperBound - 3)
        else { return }
        comments.append(range.lowerBound + 4..<range.upperBound - 3)
    }

    /// The same elements as in ``HTMLElement/isLink``.
    private static func isLink(_ tag: HTMLTag, _ source: UnsafeBufferPointer<UInt8>) -> Bool {
        switch tag.element {
        case .a, .area: true
        case nil: tag.name.count > 1 && source.hasWord("v:", at: tag.name.lowerBound)
        default: false
        }
    }

    private static let signsOfAMP: [StaticString] = ["\u{26A1}4email", "\u{26A1}\u{FE0F}4email", "amp4email"]

    private static func saysAMP(_ tag: HTMLTag, _ source: UnsafeBufferPointer<UInt8>) -> Bool {
        tag.attributes(source).contains { attribute in signsOfAMP.contains { source.isWord($0, in: attribute.name) } }
    }

    private static func isExceptional(_ tag: HTMLTag) -> Bool {
        switch tag.element {
        case .frame, .frameset, .isindex, .math, .noscript, .plaintext, .select, .svg, .template: true
        default: false
        }
    }
}
