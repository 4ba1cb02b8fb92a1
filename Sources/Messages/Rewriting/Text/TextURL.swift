/// A URL as people write it into a text, by where it stands.
struct TextURL {
    /// What people read and click, the marker included.
    let range: Range<Int>
    /// Where `+notrack` stands, which is left out of every rendering.
    let marker: Range<Int>?
    /// Whether something that is filled in later follows without a gap.
    let runsIntoPlaceholder: Bool

    /// Reads the URL that begins at `start`.
    ///
    /// - Returns: `nil` when none begins there.
    init?(_ source: some IndexedBytes, at start: Int) {
        guard source.hasWord("http", at: start), Self.canBegin(behind: start > 0 ? source[start - 1] : nil) else {
            return nil
        }
        var position = start + 4
        if source.hasWord("s", at: position) { position += 1 }
        let markerStart = position
        if source.hasWord("+notrack", at: position) { position += 8 }
        marker = position > markerStart ? markerStart..<position : nil
        guard source.hasWord("://", at: position) else { return nil }
        position += 3

        let opener = start > 0 ? source[start - 1] : nil
        let reach = TextURLReach(source, from: position, openedBy: opener)
        // Some systems write one brace alone.
        runsIntoPlaceholder =
            source.opensPlaceholder(at: reach.end) || source.opensPlaceholder(at: reach.end - 1)
            || source.hasWord("{", at: reach.end) || reach.passesDoubleBracket
        let isBracketed = opener == UInt8(ascii: "<") && source.hasWord(">", at: reach.end)
        let end = isBracketed ? reach.end : reach.endWithoutPunctuation(source, emphasis: opener)
        guard end > position || runsIntoPlaceholder else { return nil }
        range = start..<max(end, position)
    }

    /// In the middle of a word, of another URL or of an address no URL begins.
    private static func canBegin(behind byte: UInt8?) -> Bool {
        guard let byte else { return true }
        return !byte.isLetter && !byte.isDigit && !"+-./=?&%#@~".utf8.contains(byte)
    }
}
