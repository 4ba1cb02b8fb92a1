import CGumbo

/// An element of a ``HTMLDocument``. It must not outlive the document.
struct HTMLElement {
    private let element: GumboElement
    let isInNoscript: Bool
    private let source: UnsafeBufferPointer<UInt8>

    init(_ element: GumboElement, isInNoscript: Bool, source: UnsafeBufferPointer<UInt8>) {
        self.element = element
        self.isInNoscript = isInNoscript
        self.source = source
    }

    var tag: GumboTag { element.tag }

    /// Whether people follow the element's `href`: `a` and `area` of HTML, and the shapes of VML (`v:roundrect`), from
    /// which Outlook makes buttons.
    var isLink: Bool {
        switch element.tag {
        case GUMBO_TAG_A, GUMBO_TAG_AREA: element.tag_namespace == GUMBO_NAMESPACE_HTML
        case GUMBO_TAG_UNKNOWN: isVML
        default: false
        }
    }

    private var isVML: Bool {
        guard let tag = source.markup(of: element.original_tag), tag.count > 3 else { return false }
        return source[tag.lowerBound + 1] | 0x20 == UInt8(ascii: "v") && source[tag.lowerBound + 2] == UInt8(ascii: ":")
    }

    /// The beginning of the body's end tag, if this is the body and the tag was written.
    var endOfBody: Int? {
        guard element.tag == GUMBO_TAG_BODY, let tag = source.markup(of: element.original_end_tag),
            tag.count >= "</body>".utf8.count, source[tag].starts(with: "</".utf8),
            source[tag].dropFirst(2).prefix(4).map({ $0 | 0x20 }) == Array("body".utf8)
        else { return nil }
        return tag.lowerBound
    }

    /// The beginning of its start tag; `nil` if the parser added the element.
    var start: Int? { source.markup(of: element.original_tag)?.lowerBound }

    /// Its start tag as it is written; `nil` if the parser added the element.
    var written: WrittenElement? {
        guard let start, let tag = HTMLTag(source, at: start), !tag.isEnd else { return nil }
        return WrittenElement(tag, isInNoscript: isInNoscript, source: source)
    }

    /// The value that the parser read of an attribute. It may be wrong in a tag with a duplicate name: see
    /// ``WrittenElement``.
    func parsedValue(of name: StaticString) -> String? {
        for attribute in element.attributes.attributes where attribute.pointee.isNamed(name) {
            return attribute.pointee.value.map { String(cString: $0) } ?? ""
        }
        return nil
    }
}

extension GumboAttribute {
    /// The parser returns names in lower case.
    fileprivate func isNamed(_ other: StaticString) -> Bool {
        guard let name else { return false }
        for position in 0..<other.utf8CodeUnitCount where UInt8(bitPattern: name[position]) != other.utf8Start[position]
        {
            return false
        }
        return name[other.utf8CodeUnitCount] == 0
    }
}
