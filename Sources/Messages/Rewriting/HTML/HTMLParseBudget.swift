/// Limits the work of a parser on a document before it begins.
///
/// A tree can cost the square of its source: every character of text checks how deep it is nested, every paragraph may
/// copy all formatting that was left open, and a tag compares its attributes with each other. This sum is at least what
/// the parser will need, and hardly more in a document that closes what it opens.
struct HTMLParseBudget {
    /// Eight for each link that a message can have.
    static let maximumTags = 1 << 19
    static let maximumAttributesOfTag = 256
    static let maximumAttributes = 1 << 20
    /// On tags for one element: `html` and `body`, whose attributes are merged.
    private static let maximumAttributesOfRoot = 4096
    /// Steps from a character to an element above it: up to a second of work.
    private static let maximumSteps = 2_000_000_000
    /// Bytes of memory that copies of formatting elements may take.
    private static let maximumCopies = 1 << 28

    private var tags = 0
    private var attributes = 0
    private var attributesOfRoot = 0
    private var steps = 0
    private var copies = 0

    init() {}

    /// - Returns: the links that the document's markup shows.
    /// - Throws: if a parser would need too much for this document, together with the earlier ones.
    mutating func admit(_ source: UnsafeBufferPointer<UInt8>) throws(BodyError) -> MarkupLinks {
        var links = MarkupLinks()
        var markup = HTMLMarkup(source)
        var open = OpenElements(source)
        var start = 0
        while let piece = try markup.next(isForeign: open.isForeign, isDrawing: open.isDrawing) {
            let passed = markup.position - start
            tags += 1
            guard tags <= Self.maximumTags else { throw .tooManyElements }
            switch piece {
            case .comment(let range):
                links.takeComment(range, source)
                if source.hasWord("</>", at: range.lowerBound) { open.takeNamelessEnd() }
            case .tag(let tag):
                try count(tag)
                // libgumbo looks for the select of HTML where it finds one of SVG, and ends the process.
                if tag.element == .select, !tag.isEnd, open.mayBeDrawing { throw .undecidableSelect }
                links.take(tag, behind: open, source)
                open.take(tag)
                steps += 8 * open.formattingCount * tag.attributeCount * tag.attributeCount
                copies += open.formattingSize
            }
            steps += passed * open.count
            guard steps <= Self.maximumSteps, copies <= Self.maximumCopies else { throw .tooDeeplyNested }
            start = markup.position
        }
        steps += (source.count - start) * open.count
        guard steps <= Self.maximumSteps else { throw .tooDeeplyNested }
        links.pixelPlace.end(markup, in: open)
        return links
    }

    private mutating func count(_ tag: HTMLTag) throws(BodyError) {
        attributes += tag.attributeCount
        if tag.element == .html || tag.element == .body { attributesOfRoot += tag.attributeCount }
        guard tag.attributeCount <= Self.maximumAttributesOfTag, attributes <= Self.maximumAttributes,
            attributesOfRoot <= Self.maximumAttributesOfRoot
        else { throw .tooManyAttributes }
    }
}
