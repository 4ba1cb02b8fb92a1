/// A tag as it is written, found without building a tree.
struct HTMLTag {
    let isEnd: Bool
    /// Where its name stands.
    let name: Range<Int>
    let attributeCount: Int
    /// The first byte behind it.
    let end: Int

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
            place = Self.endOfAttribute(source, at: place)
        }
        attributeCount = count
        end = min(place + 1, source.count)
    }

    private static func endOfAttribute(_ source: UnsafeBufferPointer<UInt8>, at start: Int) -> Int {
        // The first byte belongs to the name whatever it is, an equals sign too.
        var place = start + 1
        while place < source.count, !source[place].endsTagName, source[place] != UInt8(ascii: "=") { place += 1 }
        let nameEnd = place
        while place < source.count, source[place].isHTMLSpace { place += 1 }
        guard place < source.count, source[place] == UInt8(ascii: "=") else { return nameEnd }
        place += 1
        while place < source.count, source[place].isHTMLSpace { place += 1 }
        guard place < source.count, source[place] != UInt8(ascii: ">") else { return place }
        if source[place] == UInt8(ascii: "\"") || source[place] == UInt8(ascii: "'") {
            let quote = source[place]
            place += 1
            while place < source.count, source[place] != quote { place += 1 }
            return min(place + 1, source.count)
        }
        while place < source.count, !source[place].isHTMLSpace, source[place] != UInt8(ascii: ">") { place += 1 }
        return place
    }
}

extension UInt8 {
    fileprivate var endsTagName: Bool { isHTMLSpace || self == UInt8(ascii: "/") || self == UInt8(ascii: ">") }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether `text`, in lower case, stands at `place` in any case.
    func hasWord(_ text: StaticString, at place: Int) -> Bool {
        guard place >= 0, text.utf8CodeUnitCount <= count - place else { return false }
        for offset in 0..<text.utf8CodeUnitCount where self[place + offset].lowered != text.utf8Start[offset] {
            return false
        }
        return true
    }

    func isWord(_ text: StaticString, in range: Range<Int>) -> Bool {
        range.count == text.utf8CodeUnitCount && hasWord(text, at: range.lowerBound)
    }

    /// Whether the same stands in both, in any case.
    func isSameWord(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { self[$0].lowered == self[$1].lowered }
    }

    /// Where `text`, in lower case, stands next from `start`, in any case.
    func firstIndex(of text: StaticString, from start: Int) -> Int? {
        let last = count - text.utf8CodeUnitCount
        var place = start
        while place <= last {
            if hasWord(text, at: place) { return place }
            place += 1
        }
        return nil
    }
}

extension UInt8 {
    var lowered: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}
