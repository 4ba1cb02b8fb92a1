import ASCII

/// A URL as people write it in a text, by its place.
struct TextURL {
    /// The part that people read and click, including the marker.
    let range: Range<Int>
    /// The place of `+notrack`, which every rendering leaves out.
    let marker: Range<Int>?
    /// Whether a placeholder follows without a gap. Its value becomes a part of the URL for a mail program, and would
    /// be appended to a tracking ID.
    let runsIntoPlaceholder: Bool

    /// Reads the URL that begins at `start`.
    ///
    /// - Returns: `nil` if none begins there.
    init?(_ source: some IndexedBytes, at start: Int) {
        guard source.hasWord("http", at: start), Self.canBegin(behind: start > 0 ? source[start - 1] : nil) else {
            return nil
        }
        marker = source.optOutMarker(at: start) { source.hasWord("+", at: $0) ? $0 + 1 : nil }
        var position = marker?.upperBound ?? start + (source.hasWord("s", at: start + 4) ? 5 : 4)
        guard source.hasWord("://", at: position) else { return nil }
        position += 3

        let opener = start > 0 ? source[start - 1] : nil
        let reach = TextURLReach(
            source, from: position, openedBy: opener, quote: Self.closingQuote(source, before: start))
        // Some systems write only one brace.
        runsIntoPlaceholder =
            source.opensPlaceholder(at: reach.end) || source.opensPlaceholder(at: reach.end - 1)
            || source.hasWord("{", at: reach.end) || source.opensNamedField(at: reach.end)
            || reach.passesDoubleBracket || reach.meetsPlaceholder
        let bracket = opener == UInt8(ascii: "<") ? Self.closingBracket(source, from: reach.end) : nil
        let end = bracket ?? reach.endWithoutPunctuation(source, emphasis: opener)
        guard end > position || runsIntoPlaceholder else { return nil }
        range = start..<max(end, position)
    }

    /// The end of a URL that `<` opened: before `>`, even if the URL was wrapped. Programs that join such lines read
    /// all of it (RFC 3986, appendix C), so its first line alone leads nowhere.
    ///
    /// No byte is read for two URLs: another `<` ends the search.
    ///
    /// - Parameter start: the first byte after the characters of the URL.
    /// - Returns: `nil` if it is not closed before another URL or an empty line.
    private static func closingBracket(_ source: some IndexedBytes, from start: Int) -> Int? {
        var position = start
        var lineEnds = 0
        var isWrapped = false
        while position < source.count {
            switch source[position] {
            case UInt8(ascii: ">"): return isWrapped ? position : start
            case UInt8(ascii: "<"): return nil
            case UInt8(ascii: "\n"):
                lineEnds += 1
                if lineEnds > 1 { return nil }
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
            default:
                // Another character than white space ends the URL: it is complete.
                guard position > start else { return nil }
                if source.hasURLScheme(at: position), canBegin(behind: source[position - 1]) { return nil }
                isWrapped = true
                lineEnds = 0
            }
            position += 1
        }
        return nil
    }

    /// The quote that closes the one directly before `start`, if an apostrophe in a URL looks the same; other quotes
    /// always end a URL.
    private static func closingQuote(_ source: some IndexedBytes, before start: Int) -> StaticString? {
        if source.hasWord("'", at: start - 1) { return "'" }
        let opening: [StaticString] = ["\u{2018}", "\u{2019}", "\u{201A}"]
        return opening.contains { source.hasWord($0, at: start - 3) } ? "\u{2019}" : nil
    }

    /// No URL begins in the middle of a word, of another URL or of an address.
    private static func canBegin(behind byte: UInt8?) -> Bool {
        guard let byte else { return true }
        return !byte.isLetter && !byte.isDigit && !"+-./=?&%#@~".utf8.contains(byte)
    }
}
