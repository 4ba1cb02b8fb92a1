import ASCII

/// A tag as it is written, found without building a tree.
struct HTMLTag {
    let isEnd: Bool
    /// The place of its name.
    let name: Range<Int>
    /// `nil` for an element that does not matter here.
    let element: KnownElement?
    let attributeCount: Int
    /// The first byte after it.
    let end: Int
    /// Whether it has an end. A parser drops a tag in which the document ends.
    let isClosed: Bool
    /// Whether it ends with a slash of its own, as `<path/>`: not with one of a value, as `<a href=x/>`.
    let isSelfClosing: Bool

    /// An attribute as it is written.
    struct Attribute {
        let name: Range<Int>
        /// The place between the quotes, if there are any. Empty if no value is written.
        let value: Range<Int>
        let quote: UInt8?
    }

    /// Reads the tag that begins at `start` (HTML, 13.2.5.6 to 13.2.5.40).
    ///
    /// - Returns: `nil` if no tag begins there.
    init?(_ source: UnsafeBufferPointer<UInt8>, at start: Int) {
        var position = start + 1
        isEnd = position < source.count && source[position] == UInt8(ascii: "/")
        if isEnd { position += 1 }
        guard position < source.count, source[position].isLetter else { return nil }
        let nameStart = position
        while position < source.count, !source[position].endsTagName { position += 1 }
        name = nameStart..<position
        element = KnownElement(name, in: source)

        var count = 0
        // The first byte behind the name or the last attribute.
        var rest = position
        while position < source.count, source[position] != UInt8(ascii: ">") {
            guard !source[position].isHTMLSpace, source[position] != UInt8(ascii: "/") else {
                position += 1
                continue
            }
            count += 1
            position = Self.attribute(source, at: position).end
            rest = position
        }
        attributeCount = count
        isSelfClosing = position > rest && source[position - 1] == UInt8(ascii: "/")
        isClosed = position < source.count
        end = min(position + 1, source.count)
    }

    /// The attributes in the order in which they are written, including duplicates of a name.
    func attributes(_ source: UnsafeBufferPointer<UInt8>) -> [Attribute] {
        var attributes: [Attribute] = []
        attributes.reserveCapacity(attributeCount)
        var position = name.upperBound
        while attributes.count < attributeCount {
            if source[position].isHTMLSpace || source[position] == UInt8(ascii: "/") {
                position += 1
            } else {
                let (attribute, end) = Self.attribute(source, at: position)
                attributes.append(attribute)
                position = end
            }
        }
        return attributes
    }

    private static func attribute(
        _ source: UnsafeBufferPointer<UInt8>, at start: Int
    ) -> (attribute: Attribute, end: Int) {
        // The first byte always belongs to the name, even an equals sign.
        var position = start + 1
        while position < source.count, !source[position].endsTagName, source[position] != UInt8(ascii: "=") {
            position += 1
        }
        let nameEnd = position
        while position < source.count, source[position].isHTMLSpace { position += 1 }
        let name = start..<nameEnd
        guard position < source.count, source[position] == UInt8(ascii: "=") else {
            return (Attribute(name: name, value: nameEnd..<nameEnd, quote: nil), nameEnd)
        }
        position += 1
        while position < source.count, source[position].isHTMLSpace { position += 1 }
        guard position < source.count, source[position] != UInt8(ascii: ">") else {
            return (Attribute(name: name, value: position..<position, quote: nil), position)
        }
        let valueStart = position
        if source[position] == UInt8(ascii: "\"") || source[position] == UInt8(ascii: "'") {
            let quote = source[position]
            position += 1
            position = source.firstIndex(of: quote, in: position..<source.count)
            let attribute = Attribute(name: name, value: valueStart + 1..<position, quote: quote)
            return (attribute, min(position + 1, source.count))
        }
        while position < source.count, !source[position].isHTMLSpace, source[position] != UInt8(ascii: ">") {
            position += 1
        }
        return (Attribute(name: name, value: valueStart..<position, quote: nil), position)
    }
}

extension UInt8 {
    fileprivate var endsTagName: Bool { isHTMLSpace || self == UInt8(ascii: "/") || self == UInt8(ascii: ">") }
}

extension UnsafeBufferPointer<UInt8> {
    func isWord(_ text: StaticString, in range: Range<Int>) -> Bool {
        range.count == text.utf8CodeUnitCount && hasWord(text, at: range.lowerBound)
    }

    /// Whether both have the same text, in any case.
    func isSameWord(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { self[$0].lowerCased == self[$1].lowerCased }
    }
}
