/// An element that a reader may follow, from its written start tag.
///
/// A parser decides which tags become elements. Their attributes are read here: libgumbo joins a name to the one before
/// it, if that is a duplicate without a value.
struct WrittenElement {
    /// Whether a parser has put it into a `noscript`.
    let isInNoscript: Bool
    private let tag: HTMLTag
    private let source: UnsafeBufferPointer<UInt8>
    private let attributes: [HTMLTag.Attribute]

    init(_ tag: HTMLTag, isInNoscript: Bool = false, source: UnsafeBufferPointer<UInt8>) {
        self.isInNoscript = isInNoscript
        self.tag = tag
        self.source = source
        attributes = tag.attributes(source)
    }

    /// The beginning of its start tag.
    var start: Int { tag.name.lowerBound - 1 }

    /// The attribute of that name in lower case; the first if there are several.
    func attribute(_ name: StaticString) -> HTMLAttribute? {
        guard let attribute = attributes.first(where: { source.isWord(name, in: $0.name) }) else { return nil }
        return HTMLAttribute(attribute, source: source)
    }

    /// All attributes of that name in lower case, in the order in which they are written.
    func attributes(_ name: StaticString) -> [HTMLAttribute] {
        attributes.filter { source.isWord(name, in: $0.name) }.map { HTMLAttribute($0, source: source) }
    }
}
