/// A tag as it is written, found without building a tree.
struct HTMLTag {
    let isEnd: Bool
    /// Where its name stands.
    let name: Range<Int>
    let attributeCount: Int
    /// The first byte behind it.
    let end: Int
    /// Whether it has an end. A parser drops one that the document ends in.
    let isClosed: Bool

    /// An attribute as it is written.
    struct Attribute {
        let name: Range<Int>
        /// Between the quotes, if there are any. Empty where no value is written.
        let value: Range<Int>
        let quote: UInt8?
    }

    /// Reads the tag that begins at `start` (HTML, 13.2.5.6 to 13.2.5.40).
    ///
    /// - Returns: `nil` when no tag begins there.
    init?(_ source: UnsafeBufferPointer<UInt8>, at start: Int) {
        var place = start + 1
        isEnd = place < source.count && source[place] == UInt8(ascii: "/")
        if isEnd { place += 1 }
        guard place < source.count, source[place].isLetter else { return nil }
        let nameStart = place
        while place < source.count, !source[place].endsTagName { place += 1 }
        name = nameStart..<place

        var count = 0
        while place < source.count, source[place] != UInt8(ascii: ">") {
            guard !source[place].isHTMLSpace, source[place] != UInt8(ascii: "/") else {
                place += 1
                continue
            }
            count += 1
            place = Self.attribute(source, at: place).end
        }
        attributeCount = count
        isClosed = place < source.count
        end = min(place + 1, source.count)
    }

    /// In the order in which they are written, those too whose name another one has.
    func attributes(_ source: UnsafeBufferPointer<UInt8>) -> [Attribute] {
        var attributes: [Attribute] = []
        attributes.reserveCapacity(attributeCount)
        var place = name.upperBound
        while attributes.count < attributeCount {
            if source[place].isHTMLSpace || source[place] == UInt8(ascii: "/") {
                place += 1
            } else {
                let (attribute, end) = Self.attribute(source, at: place)
                attributes.append(attribute)
                place = end
            }
        }
        return attributes
    }

    private static func attribute(
        _ source: UnsafeBufferPointer<UInt8>, at start: Int
    ) -> (attribute: Attribute, end: Int) {
        // The first byte belongs to the name whatever it is, an equals sign too.
        var place = start + 1
        while place < source.count, !source[place].endsTagName, source[place] != UInt8(ascii: "=") { place += 1 }
        let nameEnd = place
        while place < source.count, source[place].isHTMLSpace { place += 1 }
        let name = start..<nameEnd
        guard place < source.count, source[place] == UInt8(ascii: "=") else {
            return (Attribute(name: name, value: nameEnd..<nameEnd, quote: nil), nameEnd)
        }
        place += 1
        while place < source.count, source[place].isHTMLSpace { place += 1 }
        guard place < source.count, source[place] != UInt8(ascii: ">") else {
            return (Attribute(name: name, value: place..<place, quote: nil), place)
        }
        let valueStart = place
        if source[place] == UInt8(ascii: "\"") || source[place] == UInt8(ascii: "'") {
            let quote = source[place]
            place += 1
            while place < source.count, source[place] != quote { place += 1 }
            let attribute = Attribute(name: name, value: valueStart + 1..<place, quote: quote)
            return (attribute, min(place + 1, source.count))
        }
        while place < source.count, !source[place].isHTMLSpace, source[place] != UInt8(ascii: ">") { place += 1 }
        return (Attribute(name: name, value: valueStart..<place, quote: nil), place)
    }
}

extension UInt8 {
    fileprivate var endsTagName: Bool { isHTMLSpace || self == UInt8(ascii: "/") || self == UInt8(ascii: ">") }
}

extension UnsafeBufferPointer<UInt8> {
    func isWord(_ text: StaticString, in range: Range<Int>) -> Bool {
        range.count == text.utf8CodeUnitCount && hasWord(text, at: range.lowerBound)
    }

    /// Whether the same stands in both, in any case.
    func isSameWord(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { self[$0].lowered == self[$1].lowered }
    }
}
