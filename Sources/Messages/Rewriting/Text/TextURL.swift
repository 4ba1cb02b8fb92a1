/// A URL as people write it into a text, by where it stands.
struct TextURL {
    /// What people read and click, the marker included.
    let range: Range<Int>
    /// Where `+notrack` stands, which is taken out for everybody.
    let marker: Range<Int>?
    /// Whether something that is filled in later follows without a gap.
    let runsIntoPlaceholder: Bool

    /// Reads the URL that begins at `start`.
    ///
    /// - Returns: `nil` when none begins there.
    init?(_ source: UnsafeBufferPointer<UInt8>, at start: Int) {
        guard source.hasWord("http", at: start), Self.canBegin(behind: start > 0 ? source[start - 1] : nil) else {
            return nil
        }
        var place = start + 4
        if source.hasWord("s", at: place) { place += 1 }
        let markerStart = place
        if source.hasWord("+notrack", at: place) { place += 8 }
        marker = place > markerStart ? markerStart..<place : nil
        guard source.hasWord("://", at: place) else { return nil }
        place += 3

        let reach = Self.reach(source, from: place, openedBy: start > 0 ? source[start - 1] : nil)
        runsIntoPlaceholder = source.opensPlaceholder(at: reach) || source.opensPlaceholder(at: reach - 1)
        let isBracketed = start > 0 && source[start - 1] == UInt8(ascii: "<") && source.hasWord(">", at: reach)
        let end = isBracketed ? reach : Self.trimmed(source, place..<reach, start: start)
        guard end > place || runsIntoPlaceholder else { return nil }
        range = start..<max(end, place)
    }

    /// In the middle of a word, of another URL or of an address no URL begins.
    private static func canBegin(behind byte: UInt8?) -> Bool {
        guard let byte else { return true }
        return !byte.isLetter && !byte.isDigit && !"+-./=?&%#@~".utf8.contains(byte)
    }

    /// Up to where the characters go on that a URL may have, before punctuation is told from it.
    private static func reach(_ source: UnsafeBufferPointer<UInt8>, from start: Int, openedBy opener: UInt8?) -> Int {
        var place = start
        while place < source.count {
            let byte = source[place]
            if byte >= 0x80 {
                guard let scalar = source.scalar(at: place), scalar.continuesURL(behind: source[start..<place]) else {
                    return place
                }
                place += UTF8.width(scalar)
            } else if byte.isURLCharacter, !endsList(source, place), !closes(opener, source, place, from: start) {
                place += 1
            } else {
                return place
            }
        }
        return place
    }

    /// A comma or semicolon before the next URL.
    private static func endsList(_ source: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
        (source[place] == UInt8(ascii: ",") || source[place] == UInt8(ascii: ";"))
            && (source.hasWord("http://", at: place + 1) || source.hasWord("https://", at: place + 1)
                || source.hasWord("https+notrack://", at: place + 1))
    }

    /// The bracket that was opened before the URL, or the one between text and URL of a Markdown link.
    private static func closes(
        _ opener: UInt8?, _ source: UnsafeBufferPointer<UInt8>, _ place: Int, from start: Int
    ) -> Bool {
        guard place - start <= TargetURL.maximumLength,
            let bracket = Bracket.allCases.first(where: { $0.closing == source[place] }),
            !bracket.isOpen(in: source[start..<place])
        else { return false }
        return opener == bracket.opening || source.hasWord("](", at: place)
    }

    /// Without the punctuation behind the URL, which belongs to the sentence.
    private static func trimmed(_ source: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, start: Int) -> Int {
        let emphasis = start > 0 && "*_~'".utf8.contains(source[start - 1]) ? source[start - 1] : nil
        // What is no target anyway is not looked at again for each of its brackets.
        guard range.count <= 2 * TargetURL.maximumLength else { return range.upperBound }
        var range = range
        while let last = range.last {
            let byte = source[last]
            let isUnopened = Bracket.allCases.contains {
                $0.closing == byte && !$0.isOpen(in: source[range.lowerBound..<last])
            }
            guard ".,;:!?'".utf8.contains(byte) || byte == emphasis || isUnopened else { break }
            range.removeLast()
        }
        return range.upperBound
    }

    private enum Bracket: CaseIterable {
        case round
        case square

        var opening: UInt8 { self == .round ? UInt8(ascii: "(") : UInt8(ascii: "[") }
        var closing: UInt8 { self == .round ? UInt8(ascii: ")") : UInt8(ascii: "]") }

        /// Whether more of these brackets are opened than closed.
        func isOpen(in text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
            text.reduce(0) { $1 == opening ? $0 + 1 : $1 == closing ? max($0 - 1, 0) : $0 } > 0
        }
    }
}
