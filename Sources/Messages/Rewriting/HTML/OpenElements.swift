/// At least the elements that a parser has open, told from the tags alone.
///
/// One is taken for closed only where the standard leaves no other way to read it; everything else stays open to the
/// end. So this is exact for documents that close what they open, and never too small.
struct OpenElements {
    private struct Element {
        let name: Range<Int>
        let kind: Kind
        /// Bytes that a copy takes, where parsers copy the element; else 0.
        let formattingSize: Int
        /// Part of a table, where the parser is certain to have put it.
        let isInPlace: Bool
    }

    private enum Kind {
        case table, section, row, cell
        case formatting
        /// Has rules of its own for what is in it.
        case foreign
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

    init(_ source: UnsafeBufferPointer<UInt8>) { self.source = source }

    /// With those that a parser adds by itself.
    var count: Int { elements.count + 4 }

    /// Whether one of those may be open that have rules of their own for what is in them.
    var isForeign: Bool { foreignCount > 0 }

    /// Whether an element may be open that keeps a parser from seeing those around it (HTML, "has an element in scope").
    var mayBoundScope: Bool {
        elements.contains { element in
            switch element.kind {
            case .table, .section, .row, .cell, .foreign: true
            default: Self.bounding.contains { source.isWord($0, in: element.name) }
            }
        }
    }

    mutating func take(_ tag: HTMLTag) {
        if tag.isEnd {
            if let position = closed(by: tag) { close(from: position) }
            return
        }
        if let last = elements.last, last.kind == .paragraph, source.isSameWord(last.name, tag.name) {
            close(from: elements.count - 1)
        }
        guard !Self.void.contains(where: { source.isWord($0, in: tag.name) }) else { return }
        open(tag)
    }

    private mutating func open(_ tag: HTMLTag) {
        let kind = kind(of: tag)
        let size = kind == .formatting ? 256 * (1 + tag.attributeCount) + tag.end - tag.name.lowerBound : 0
        elements.append(Element(name: tag.name, kind: kind, formattingSize: size, isInPlace: isInPlace(kind)))
        formattingSize += size
        if kind == .formatting { formattingCount += 1 }
        if kind == .foreign { foreignCount += 1 }
    }

    private mutating func close(from position: Int) {
        for element in elements[position...] {
            formattingSize -= element.formattingSize
            if element.kind == .formatting { formattingCount -= 1 }
            if element.kind == .foreign { foreignCount -= 1 }
        }
        elements.removeSubrange(position...)
    }

    /// From which element on an end tag certainly closes; `nil` where it may close nothing.
    private func closed(by tag: HTMLTag) -> Int? {
        let kind = kind(of: tag)
        // A tag that closes nothing near is not looked for through the whole document.
        for position in elements.indices.suffix(32).reversed() {
            let element = elements[position]
            if source.isSameWord(element.name, tag.name) {
                return position == elements.count - 1 || kind == .block || element.isInPlace ? position : nil
            }
            switch kind {
            case .block: guard element.kind == .paragraph else { return nil }
            // A cell that is closed takes with it what was left open in it, and a parser forgets its formatting.
            case .cell: guard !isForeign, element.kind != .table else { return nil }
            case .row, .section, .table:
                guard !isForeign, element.kind != .table, element.kind != .formatting else { return nil }
            default: return nil
            }
        }
        return nil
    }

    private func isInPlace(_ kind: Kind) -> Bool {
        let parent = elements.last.flatMap { $0.isInPlace ? $0.kind : nil }
        return switch kind {
        case .table: !isForeign
        case .section: parent == .table
        case .row: parent == .table || parent == .section
        case .cell: parent == .row
        default: false
        }
    }

    private func kind(of tag: HTMLTag) -> Kind {
        for (names, kind) in Self.kinds where names.contains(where: { source.isWord($0, in: tag.name) }) {
            return kind
        }
        return .other
    }

    private static let kinds: [([StaticString], Kind)] = [
        (["td", "th"], .cell), (["tr"], .row), (["table"], .table), (["tbody", "thead", "tfoot"], .section),
        (["p", "li"], .paragraph), (["div", "center", "ul", "ol", "dl", "blockquote"], .block),
        (
            [
                "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
            ], .formatting
        ),
        (["svg", "math", "select", "template", "frameset"], .foreign),
    ]
    private static let bounding: [StaticString] = ["applet", "caption", "marquee", "object"]
    private static let void: [StaticString] = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    ]
}
