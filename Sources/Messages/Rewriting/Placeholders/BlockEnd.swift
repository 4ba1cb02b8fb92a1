import ASCII

/// The tags with which templates end a condition or a loop: `{{/if}}`, `{% endif %}`, `<% } %>`, `%%[ENDIF]%%`. They
/// print nothing, so what is behind one follows what is before it.
enum BlockEnd {
    /// How a tag begins, the word in it, and how it ends.
    private static let tags: [(begin: StaticString, word: StaticString, end: StaticString)] = [
        ("{{", "/", "}}"), ("{%", "end", "%}"), ("<%", "}", "%>"), ("%%[", "endif", "]%%"),
    ]
    private static let maximumLength = 64

    /// The end of the tags that follow each other from `position` on; `position` if there are none.
    static func skipping(_ source: some IndexedBytes, from position: Int) -> Int {
        var position = position
        while let end = end(source, at: position) { position = end }
        return position
    }

    private static func end(_ source: some IndexedBytes, at position: Int) -> Int? {
        for tag in tags where source.hasWord(tag.begin, at: position) {
            let limit = min(source.count, position + maximumLength)
            var place = position + tag.begin.utf8CodeUnitCount
            while place < limit, source[place].isPadding { place += 1 }
            guard source.hasWord(tag.word, at: place) else { continue }
            place += tag.word.utf8CodeUnitCount
            // One name alone, as of the block: nothing that a template could print.
            while place < limit, source[place].isOfBlockName { place += 1 }
            while place < limit, source[place].isPadding { place += 1 }
            if source.hasWord(tag.end, at: place) { return place + tag.end.utf8CodeUnitCount }
        }
        return nil
    }
}

extension UInt8 {
    /// White space, or a sign that takes white space away.
    fileprivate var isPadding: Bool { isHTMLSpace || self == UInt8(ascii: "-") || self == UInt8(ascii: "~") }

    fileprivate var isOfBlockName: Bool { isLetterOrDigit || "_-.".utf8.contains(self) }
}
