/// An element as its start tag is written, for documents of which no tree is made.
struct WrittenElement: LinkElement {
    private let tag: HTMLTag
    private let source: UnsafeBufferPointer<UInt8>
    private let attributes: [HTMLTag.Attribute]

    init(_ tag: HTMLTag, source: UnsafeBufferPointer<UInt8>) {
        self.tag = tag
        self.source = source
        attributes = tag.attributes(source)
    }

    var start: Int { tag.name.lowerBound - 1 }

    /// Documents with such elements are read by the parser.
    var isInNoscript: Bool { false }

    /// Whether the parser reads the tag differently: it does not know where a value stands that has no quotes and begins
    /// with an ampersand, and behind a name that is given twice it can lose a value.
    var isUncertain: Bool {
        for (index, attribute) in attributes.enumerated() {
            let value = attribute.value
            if attribute.quote == nil, !value.isEmpty, source[value.lowerBound] == UInt8(ascii: "&") { return true }
            if attributes[..<index].contains(where: { source.isSameWord($0.name, attribute.name) }) { return true }
        }
        return false
    }

    func attribute(_ name: StaticString) -> HTMLAttribute? {
        guard let attribute = attributes.first(where: { source.isWord(name, in: $0.name) }) else { return nil }
        return HTMLAttribute(attribute, source: source)
    }
}
