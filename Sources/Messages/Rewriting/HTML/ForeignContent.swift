/// How a parser reads the content of `svg` and `math` (HTML, 13.2.6.5), by the names of elements.
enum ForeignContent {
    /// Whether a start tag of that name ends every `svg` and `math` around it, or may do so.
    static func isEnded(by name: Range<Int>, in source: UnsafeBufferPointer<UInt8>) -> Bool {
        elementsOfHTML.contains { source.isWord($0, in: name) }
    }

    /// Whether the content of an element of that name is read as HTML, or may be.
    static func isLeft(in name: Range<Int>, of source: UnsafeBufferPointer<UInt8>) -> Bool {
        integrationPoints.contains { source.isWord($0, in: name) }
    }

    private static let elementsOfHTML: [StaticString] = [
        "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "font", "h1",
        "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol", "p",
        "pre", "ruby", "s", "small", "span", "strike", "strong", "sub", "sup", "table", "tt", "u", "ul", "var",
    ]

    private static let integrationPoints: [StaticString] = [
        "annotation-xml", "desc", "foreignobject", "mi", "mn", "mo", "ms", "mtext", "title",
    ]
}
