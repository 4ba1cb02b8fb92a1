/// An element from its written start tag, for documents without a tree.
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

    /// The parser reads documents with such elements.
    var isInNoscript: Bool { false }

    /// Whether the parser reads the tag differently: it reports a wrong place for a value without quotes that begins
    /// with an ampersand, and after a duplicate name it can lose a value.
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
