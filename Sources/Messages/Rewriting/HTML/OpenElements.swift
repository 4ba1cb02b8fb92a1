/// At least the elements that a parser has open, derived from the tags alone.
///
/// An element counts as closed only if the standard allows no other reading; any other stays open to the end. So this
/// is exact for documents that close what they open, and never too small.
struct OpenElements {
    private struct Element {
        let name: Range<Int>
        let element: KnownElement?
        let kind: Kind
        /// The bytes of a copy, if parsers copy the element; else 0.
        let formattingSize: Int
        /// Whether it was opened as a part of a table in the place where the parser has certainly put it.
        let isInPlace: Bool
    }

    fileprivate enum Kind {
        case table, section, row, cell
        case formatting
        /// An element with parsing rules of its own for its content: `svg` and `math`, and others.
        case drawing, foreign
        /// Its end tag may be left out.
        case paragraph
        /// Its end tag closes paragraphs in it.
        case block
        case other
    }

    private let source: UnsafeBufferPointer<UInt8>
    private var elements: [Element] = []
    private(set) var formattingCount = 0
    private(set) var formattingSize = 0
    private var foreignCount = 0
    private var drawingCount = 0
    /// Whether libgumbo may have taken an end tag without a name for the beginning of a start tag. It does not find the
    /// element of that tag by its name.
    private var hasWrongNames = false
    /// The index of an `svg`, `math` or `select` that a parser certainly has open, and whose rules certainly apply to
    /// what comes next: no other element with rules of its own is around it, and no tag since can have ended it.
    private var certain: Int?

    /// The parts of tables before this index may be closed: a table that begins in a table, and in none of its cells,
    /// ends that one.
    private var firstTablePart = 0

    init(_ source: UnsafeBufferPointer<UInt8>) { self.source = source }

    /// Including those that a parser adds by itself.
    var count: Int { elements.count + 4 }

    /// Whether an element may be open that has parsing rules of its own for its content.
    var isForeign: Bool { foreignCount > 0 }

    /// Whether an `svg` or `math` may be open.
    var mayBeDrawing: Bool { drawingCount > 0 }

    /// Whether an element may be open that hides those around it from a parser (HTML, "has an element in scope").
    var mayBoundScope: Bool {
        elements.contains { element in
            switch element.kind {
            case .table, .section, .row, .cell, .drawing, .foreign: true
            default: element.element?.boundsScope == true
            }
        }
    }

    /// The beginning of the outermost element that may be open and in which no image of the service belongs: an image
    /// ends an `svg` or `math`, is dropped in a `select`, and is not shown in a `template`.
    var outermostEnclosing: Int? {
        elements.first { $0.kind.isForeign && $0.element != .frameset }.map { $0.name.lowerBound - 1 }
    }

    /// Whether a parser certainly reads SVG or MathML next, where a self-closing tag is a whole element.
    var isDrawing: Bool {
        guard let certain, elements[certain].kind == .drawing, let last = elements.last else { return false }
        return !ForeignContent.isLeft(in: last.name, of: source)
    }

    /// Takes note of `</>`.
    mutating func takeNamelessEnd() {
        hasWrongNames = true
        certain = nil
    }

    mutating func take(_ tag: HTMLTag) {
        if let root = certain, !staysIn(root, behind: tag) { certain = nil }
        if tag.isEnd {
            if let position = closed(by: tag) { close(from: position) }
            return
        }
        if let last = elements.last, last.kind == .paragraph, isSame(last, tag) {
            close(from: elements.count - 1)
        }
        guard tag.element?.isVoid != true || mayBeDrawing && isOfDrawing(tag) else { return }
        let kind = Kind(of: tag.element)
        if tag.isSelfClosing, isDrawing || kind == .drawing && !isForeign { return }
        open(tag, kind)
    }

    /// Whether a void tag of HTML opens an element with content in a drawing, as `<input>` does.
    private func isOfDrawing(_ tag: HTMLTag) -> Bool {
        !tag.isSelfClosing && !ForeignContent.isEnded(by: tag.name, in: source)
    }

    /// Whether the rules of the element at `root` certainly apply behind `tag`, too, or `tag` ends it.
    private func staysIn(_ root: Int, behind tag: HTMLTag) -> Bool {
        if elements[root].element == .select {
            return tag.isEnd && tag.element == .select || source.isWord("option", in: tag.name)
                || source.isWord("optgroup", in: tag.name)
        }
        guard isDrawing else { return tag.isEnd && elements.last.map { isSame($0, tag) } == true }
        return tag.isEnd ? last(from: root, of: tag) != nil : !ForeignContent.isEnded(by: tag.name, in: source)
    }

    private mutating func open(_ tag: HTMLTag, _ kind: Kind) {
        if !isForeign, !hasWrongNames, kind == .drawing || tag.element == .select { certain = elements.count }
        if kind == .table, mayEndTable { firstTablePart = elements.count }
        let size = kind == .formatting ? 256 * (1 + tag.attributeCount) + tag.end - tag.name.lowerBound : 0
        elements.append(
            Element(name: tag.name, element: tag.element, kind: kind, formattingSize: size, isInPlace: isInPlace(kind))
        )
        formattingSize += size
        if kind == .formatting { formattingCount += 1 }
        if kind.isForeign { foreignCount += 1 }
        if kind == .drawing { drawingCount += 1 }
    }

    private mutating func close(from position: Int) {
        while elements.count > position {
            let element = elements.removeLast()
            formattingSize -= element.formattingSize
            if element.kind == .formatting { formattingCount -= 1 }
            if element.kind.isForeign { foreignCount -= 1 }
            if element.kind == .drawing { drawingCount -= 1 }
        }
        if let root = certain, position <= root { certain = nil }
        firstTablePart = min(firstTablePart, elements.count)
    }

    /// The first element that an end tag certainly closes; `nil` if it may close nothing.
    private func closed(by tag: HTMLTag) -> Int? {
        if let root = certain {
            if elements[root].kind == .drawing { return last(from: root, of: tag) }
            if tag.element == .select { return root }
        }
        guard !hasWrongNames || !isForeign else { return nil }
        let kind = Kind(of: tag.element)
        // The search is short: a tag that closes nothing near must not search the whole document.
        for position in elements.indices.suffix(32).reversed() {
            let element = elements[position]
            if isSame(element, tag) {
                return position == elements.count - 1 || kind == .block || isInPlace(position) ? position : nil
            }
            switch kind {
            case .block: guard element.kind == .paragraph else { return nil }
            // A closed cell also closes what was left open in it, and a parser forgets its formatting.
            case .cell: guard !isForeign, element.kind != .table else { return nil }
            case .row, .section, .table:
                guard !isForeign, element.kind != .table, element.kind != .formatting else { return nil }
            default: return nil
            }
        }
        return nil
    }

    /// The last element from `root` on that has the name of `tag`, not far up.
    private func last(from root: Int, of tag: HTMLTag) -> Int? {
        (root..<elements.count).suffix(32).last { isSame(elements[$0], tag) }
    }

    private func isInPlace(_ position: Int) -> Bool {
        position >= firstTablePart && elements[position].isInPlace
    }

    /// Whether a table that begins now may be in a table, and in none of its cells.
    private var mayEndTable: Bool {
        let near = elements.indices.suffix(32)
        guard let part = near.last(where: { elements[$0].kind.isOfTable }) else { return near.count < elements.count }
        return elements[part].kind != .cell || !isInPlace(part)
    }

    private func isInPlace(_ kind: Kind) -> Bool {
        let parent = elements.indices.last.flatMap { isInPlace($0) ? elements[$0].kind : nil }
        return switch kind {
        case .table: !isForeign
        case .section: parent == .table
        case .row: parent == .table || parent == .section
        case .cell: parent == .row
        default: false
        }
    }

    private func isSame(_ element: Element, _ tag: HTMLTag) -> Bool {
        element.element == tag.element && (tag.element != nil || source.isSameWord(element.name, tag.name))
    }
}

extension OpenElements.Kind {
    fileprivate var isForeign: Bool { self == .drawing || self == .foreign }

    fileprivate var isOfTable: Bool { self == .table || self == .section || self == .row || self == .cell }

    fileprivate init(of element: KnownElement?) {
        self =
            switch element {
            case .td, .th: .cell
            case .tr: .row
            case .table: .table
            case .tbody, .thead, .tfoot: .section
            case .p, .li: .paragraph
            case .div, .center, .ul, .ol, .dl, .blockquote: .block
            case .a, .b, .big, .code, .em, .font, .i, .nobr, .s, .small, .strike, .strong, .tt, .u: .formatting
            case .svg, .math: .drawing
            case .select, .template, .frameset: .foreign
            default: .other
            }
    }
}

extension KnownElement {
    fileprivate var boundsScope: Bool {
        switch self {
        case .applet, .caption, .marquee, .object: true
        default: false
        }
    }

    fileprivate var isVoid: Bool {
        switch self {
        case .area, .base, .br, .col, .embed, .hr, .img, .input, .link, .meta, .param, .source, .track, .wbr: true
        default: false
        }
    }
}
