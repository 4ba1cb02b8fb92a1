import ASCII

/// The text around the name `consentlink`.
struct PlaceholderReading {
    /// The whole placeholder with its braces; if it has a fault, as much of it as can be recognised.
    let range: Range<Int>
    /// `nil` if it can become a whole address.
    let fault: PlaceholderFault.Kind?
    /// Whether it can be replaced. A placeholder whose neighbour spoils the address is still replaced, in messages that
    /// were stored before that was a fault.
    let isReplaceable: Bool

    /// - Parameters:
    ///   - name: the place of `consentlink`, in any case.
    ///   - floor: the end of the last placeholder; nothing before it is read.
    /// - Returns: `nil` if the name is not in a placeholder.
    init?(_ source: some IndexedBytes, name: Range<Int>, from floor: Int) {
        let opening = Self.opening(source, before: name.lowerBound, from: floor)
        let start = opening.start
        let isWhole = source.hasWord(".preferences", at: name.upperBound)
        guard isWhole || opening.count >= 2 else { return nil }
        guard opening.count == 2, Self.isExact(source, at: name.lowerBound),
            let end = Self.closing(source, from: name.lowerBound + Self.name.utf8CodeUnitCount)
        else {
            range = start..<name.upperBound
            fault = .spelling
            isReplaceable = false
            return
        }
        range = start..<end
        isReplaceable = !source.hasWord("/", at: start - 1)
        if !isReplaceable || Self.followsScheme(source, at: start) {
            fault = .scheme
        } else {
            let next = BlockEnd.skipping(source, from: end)
            let isContinued = Self.isContinued(source, at: next) || Self.isQueryContinued(source, in: start..<next)
            fault = isContinued ? .continued : nil
        }
    }

    private static let name: StaticString = "consentlink.preferences"
    private static let openingBraces: [StaticString] = ["{", "%7b"]
    private static let closingBraces: [StaticString] = ["}", "%7d"]
    private static let spaces: [StaticString] = [" ", "\t", "\n", "\u{C}", "\r", "%20", "&nbsp;", "\u{A0}"]

    /// Schemes that people write before an address; other schemes cannot be distinguished from a word with a colon.
    private static let schemes: [StaticString] = ["http", "https", "mailto", "tel", "sms", "ftp", "javascript"]
    private static let maximumSchemeLength = 32

    /// Whether a scheme and its colon are directly before `start`: a known one, or any in an `href`.
    private static func followsScheme(_ source: some IndexedBytes, at start: Int) -> Bool {
        guard source.hasWord(":", at: start - 1) else { return false }
        let end = start - 1
        var first = end
        while first > 0, end - first < maximumSchemeLength, source[first - 1].isSchemeCharacter { first -= 1 }
        guard first < end else { return false }
        if schemes.contains(where: { $0.utf8CodeUnitCount == end - first && source.hasWord($0, at: first) }) {
            return true
        }
        // HTML allows white space on both sides of the equals sign, and before the URL.
        var position = beforeSpaces(source, first)
        if source.hasWord("\"", at: position - 1) || source.hasWord("'", at: position - 1) {
            position = beforeSpaces(source, position - 1)
        }
        return isHref(source, before: position)
    }

    /// Whether `href` and an equals sign end at `end`.
    private static func isHref(_ source: some IndexedBytes, before end: Int) -> Bool {
        source.hasWord("=", at: end - 1) && source.hasWord("href", at: beforeSpaces(source, end - 1) - 4)
    }

    /// The end of what is before the white space before `end`.
    private static func beforeSpaces(_ source: some IndexedBytes, _ end: Int) -> Int {
        var position = end
        while position > 0, source[position - 1].isHTMLSpace { position -= 1 }
        return position
    }

    /// Whether the character at `end` becomes a part of the address, which then leads nowhere, or is one brace too
    /// many, or begins a placeholder whose value would. The end of a comment does not. A query and a fragment change
    /// nothing, and neither does one slash, so that what follows the slash counts.
    ///
    /// - Parameter end: the end of the placeholder and of the ``BlockEnd`` tags behind it.
    private static func isContinued(_ source: some IndexedBytes, at end: Int, behindSlash: Bool = false) -> Bool {
        guard end < source.count, !source.hasWord("-->", at: end) else { return false }
        switch source[end] {
        case UInt8(ascii: "/"):
            let next = BlockEnd.skipping(source, from: end + 1)
            return behindSlash || isContinued(source, at: next, behindSlash: true)
        // Punctuation of a sentence, if no word follows.
        case UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: "$"):
            let next = BlockEnd.skipping(source, from: end + 1)
            return next < source.count && !source.hasWord("-->", at: next) && source[next].continuesAddress
        default:
            return source[end].continuesAddress || source.length(of: fieldOpenings, at: end) != nil
                || source[end] >= 0x80 && source.opensNamedField(at: end)
        }
    }

    /// How merge fields begin, but for those with a character that continues the address itself.
    private static let fieldOpenings: [StaticString] = ["[[", "*|", "<<", "<%"]

    /// Whether `&NAME=` follows a placeholder, and the ``BlockEnd`` tags behind it, that is no value of a query: that is
    /// a query without its question mark.
    private static func isQueryContinued(_ source: some IndexedBytes, in placeholder: Range<Int>) -> Bool {
        guard source.hasWord("&", at: placeholder.upperBound), beginsAddress(source, at: placeholder.lowerBound) else {
            return false
        }
        let start = placeholder.upperBound + (source.hasWord("&amp;", at: placeholder.upperBound) ? 5 : 1)
        var end = start
        while end < source.count, end - start < maximumNameLength, source[end].isOfParameterName { end += 1 }
        return end > start && source.hasWord("=", at: end)
    }

    private static let maximumNameLength = 64

    /// Whether an address begins at `start`, and is not a part of another one.
    private static func beginsAddress(_ source: some IndexedBytes, at start: Int) -> Bool {
        guard start > 0 else { return true }
        let last = source[start - 1]
        return last.isHTMLSpace || "\"'<>(".utf8.contains(last) || isHref(source, before: start)
    }

    /// Whether it is in lower case.
    private static func isExact(_ source: some IndexedBytes, at start: Int) -> Bool {
        guard name.utf8CodeUnitCount <= source.count - start else { return false }
        return (0..<name.utf8CodeUnitCount).allSatisfy { source[start + $0] == name.utf8Start[$0] }
    }

    /// The braces before `end` and the white space after them: their beginning, and their number.
    private static func opening(
        _ source: some IndexedBytes, before end: Int, from floor: Int
    ) -> (start: Int, count: Int) {
        var start = end
        while let length = source.length(of: spaces, endingAt: start, from: floor) { start -= length }
        var count = 0
        while let length = source.length(of: openingBraces, endingAt: start, from: floor) {
            start -= length
            count += 1
        }
        return count == 0 ? (end, 0) : (start, count)
    }

    /// The end of the two braces at `start`, after white space; `nil` if they are not there.
    private static func closing(_ source: some IndexedBytes, from start: Int) -> Int? {
        var end = start
        while let length = source.length(of: spaces, at: end) { end += length }
        for _ in 0..<2 {
            guard let length = source.length(of: closingBraces, at: end) else { return nil }
            end += length
        }
        return end
    }
}

extension UInt8 {
    fileprivate var isSchemeCharacter: Bool { isLetterOrDigit || "+-.".utf8.contains(self) }

    fileprivate var isOfParameterName: Bool { isLetterOrDigit || "-_.[]".utf8.contains(self) }

    /// Whether it becomes a part of an address before it.
    fileprivate var continuesAddress: Bool { isLetterOrDigit || "{}-_%".utf8.contains(self) }
}

extension IndexedBytes {
    /// The length of the one of `words` that ends at `end` and does not begin before `floor`.
    fileprivate func length(of words: [StaticString], endingAt end: Int, from floor: Int) -> Int? {
        words.first { end - $0.utf8CodeUnitCount >= floor && hasWord($0, at: end - $0.utf8CodeUnitCount) }?
            .utf8CodeUnitCount
    }
}
