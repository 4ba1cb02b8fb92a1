import ASCII

extension UInt8 {
    /// RFC 3986: unreserved, reserved and the percent sign.
    var isURLCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "?")...UInt8(ascii: "["),
            UInt8(ascii: "#")...UInt8(ascii: ";"), UInt8(ascii: "!"), UInt8(ascii: "="), UInt8(ascii: "]"),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Whether a URL always ends before it: white space, a control character, a quote, or one of the brackets that are
    /// written around a URL.
    var endsURL: Bool {
        self <= 0x20 || self == 0x7F || self == UInt8(ascii: "\"") || self == UInt8(ascii: "<")
            || self == UInt8(ascii: ">")
    }
}

extension Unicode.Scalar {
    /// Whether a URL in a text ends before this character, which is not ASCII. Text that is written without spaces
    /// follows a URL directly.
    var endsURL: Bool {
        // An apostrophe, or a closing quote: the next character decides.
        if value == 0x2019 { return false }
        if properties.isWhitespace || isWrittenWithoutSpaces { return true }
        return switch properties.generalCategory {
        case .initialPunctuation, .finalPunctuation, .openPunctuation, .closePunctuation, .control: true
        default: false
        }
    }

    /// Whether it is a letter or a number. A mark, or a character that joins emoji, is neither.
    var beginsWord: Bool { isOfWord && properties.generalCategory != .nonspacingMark }

    /// Whether this letter continues a URL that was written without percent-encoding.
    ///
    /// Letters of scripts with spaces between words do. Chinese, Japanese and Korean text follows a URL without a
    /// space, so such a letter continues the URL only where the URL cannot end: after `=` or in the middle of a path.
    ///
    /// - Parameters:
    ///   - last: the byte before the letter; `nil` if the letter is directly after `://`.
    ///   - isInPath: whether there is a slash somewhere before `last`.
    func continuesURL(behind last: UInt8?, isInPath: Bool) -> Bool {
        guard isOfWord else { return false }
        guard isWrittenWithoutSpaces else { return true }
        guard let last else { return true }
        if last == UInt8(ascii: "/") { return isInPath }
        return last >= 0x80 || "=-_&?#%+~".utf8.contains(last)
    }

    /// Whether it is a letter, a number or a mark on one.
    private var isOfWord: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber,
            .decimalNumber, .nonspacingMark:
            true
        default: properties.isAlphabetic || properties.numericType != nil
        }
    }

    private var isWrittenWithoutSpaces: Bool {
        switch value {
        case 0x0E00...0x0EFF, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7FF,
            0xF900...0xFAFF, 0xFF00...0xFFEF, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}

extension IndexedBytes {
    /// Whether another URL begins here.
    func hasURLScheme(at position: Int) -> Bool {
        hasWord("http://", at: position) || hasWord("https://", at: position)
            || hasWord("https+notrack://", at: position) || hasWord("http+notrack://", at: position)
    }

    /// Whether a placeholder of a mail system begins here, by its first two characters.
    func opensPlaceholder(at position: Int) -> Bool {
        guard position >= 0, position + 1 < count else { return false }
        return switch self[position] {
        case UInt8(ascii: "{"): self[position + 1] == UInt8(ascii: "{") || self[position + 1] == UInt8(ascii: "%")
        case UInt8(ascii: "<"): "<%?#@$".utf8.contains(self[position + 1])
        case UInt8(ascii: "*"): self[position + 1] == UInt8(ascii: "|")
        case UInt8(ascii: "%"): self[position + 1] == UInt8(ascii: "%")
        default: false
        }
    }

    /// Whether a name in angle brackets or guillemets begins here, as `<name>`, `‹name›` or `«First Name»`: a merge
    /// field. A quote that closes has no name and no bracket behind it, and a tag of HTML such as `<br>` is no field.
    func opensNamedField(at position: Int) -> Bool {
        guard let opening = length(of: ["<", "\u{2039}", "\u{AB}"], at: position) else { return false }
        let start = position + opening
        var end = start
        while end < count, end - start < 64, self[end].isOfFieldName(isFirst: end == start) { end += 1 }
        guard end > start, length(of: [">", "\u{203A}", "\u{BB}"], at: end) != nil else { return false }
        return !(hasWord("<", at: position) && hasWord(">", at: end) && isTagName(start..<end))
    }

    /// Whether a common tag of HTML has this name. There may be spaces behind it.
    private func isTagName(_ range: Range<Int>) -> Bool {
        var end = range.upperBound
        while end > range.lowerBound, self[end - 1] == UInt8(ascii: " ") { end -= 1 }
        return commonTags.contains {
            $0.utf8CodeUnitCount == end - range.lowerBound && hasWord($0, at: range.lowerBound)
        }
    }

    /// The length of the one of `words` that is at `position`, in any case.
    func length(of words: [StaticString], at position: Int) -> Int? {
        words.first { hasWord($0, at: position) }?.utf8CodeUnitCount
    }
}

/// The tags that people write in a text, in lower case.
private let commonTags: [StaticString] = [
    "a", "b", "br", "center", "div", "em", "font", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "li", "ol", "p",
    "small", "span", "strong", "sub", "sup", "table", "td", "tr", "u", "ul",
]

extension UInt8 {
    fileprivate func isOfFieldName(isFirst: Bool) -> Bool {
        isLetterOrDigit || self == UInt8(ascii: "_") || !isFirst && " -.".utf8.contains(self)
    }
}
