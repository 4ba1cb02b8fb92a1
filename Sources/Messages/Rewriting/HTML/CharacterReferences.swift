import ASCII

/// Character references in the value of an attribute (HTML, 13.2.5.72 to 13.2.5.80).
enum CharacterReferences {
    /// The value that a parser reads from `bytes`, with or without quotes.
    ///
    /// - Returns: `nil` if the table of names is needed for that, or if a parser changes other bytes, too.
    static func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            let plain = bytes.firstUnlikeText(from: position)
            output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[position..<plain]))
            position = plain
            guard position < bytes.count else { break }
            let byte = bytes[position]
            guard !bytes.isReplaced(at: position) else { return nil }
            output.append(byte)
            position += 1
            guard byte == UInt8(ascii: "&") else { continue }
            var end = position
            while end < bytes.count, bytes[end].isLetterOrDigit { end += 1 }
            // A name before an equals sign is no reference in an attribute, and neither is a name without letters.
            if end < bytes.count, bytes[end] == UInt8(ascii: "=") { continue }
            if end == position, end == bytes.count || bytes[end] != UInt8(ascii: "#") { continue }
            if end == position {
                guard let number = bytes.numericReference(at: position) else { return nil }
                output.removeLast()
                output.append(contentsOf: String(number.character).utf8)
                position = number.end
                continue
            }
            guard bytes.isPlainWord("amp;", at: position) else { return nil }
            position = end + 1
        }
        return output
    }

    /// The first number that refers to no character.
    fileprivate static let beyondUnicode: UInt32 = 0x110000

    /// The end of the plus sign at `position`, as itself, by its name or by its number; `nil` if there is none.
    ///
    /// A number may have zeros before it, and the semicolon may be missing.
    static func endOfPlus(in source: UnsafeBufferPointer<UInt8>, at position: Int) -> Int? {
        if let length = source.length(of: ["+", "&plus;"], at: position) { return position + length }
        guard source.hasWord("&#", at: position) else { return nil }
        let (digits, number) = source.number(at: position + 2)
        guard !digits.isEmpty, number == 0x2B else { return nil }
        return digits.upperBound + (source.hasWord(";", at: digits.upperBound) ? 1 : 0)
    }

    /// The digits of all numbers that are too large for a character.
    static func numbersBeyondUnicode(in source: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var places: [Range<Int>] = []
        var position = 0
        while let start = source.firstIndex(of: "&#", from: position) {
            let (digits, number) = source.number(at: start + 2)
            if number == beyondUnicode { places.append(digits) }
            position = digits.upperBound
        }
        return places
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether a character may begin here that a parser replaces by another one: a control character, a line end, or a
    /// noncharacter of Unicode (U+FDD0 to U+FDEF and the last two of each plane).
    fileprivate func isReplaced(at position: Int) -> Bool {
        switch self[position] {
        case 0x09, 0x0A, 0x0C: false
        case 0..<0x20, 0x7F: true
        case 0xC2: position + 1 < count && self[position + 1] < 0xA0
        case 0xEF: position + 1 < count && (self[position + 1] == 0xB7 || self[position + 1] == 0xBF)
        case 0xF0...: position + 2 < count && self[position + 2] == 0xBF
        default: false
        }
    }

    /// The character that `#` at `position` and the digits after it refer to, and their end; `nil` if a parser reads
    /// something else than their number.
    fileprivate func numericReference(at position: Int) -> (character: Unicode.Scalar, end: Int)? {
        let (digits, number) = number(at: position + 1)
        let end = digits.upperBound
        // The digits must end with a semicolon. A parser replaces NUL and control characters by others.
        guard !digits.isEmpty, end < count, self[end] == UInt8(ascii: ";"), number >= 0x20,
            !(0x7F..<0xA0).contains(number)
        else { return nil }
        return (Unicode.Scalar(number) ?? "\u{FFFD}", end + 1)
    }

    /// The digits of a numeric reference from `start` on, behind its `#`, and their number; `beyondUnicode` if it is
    /// larger.
    fileprivate func number(at start: Int) -> (digits: Range<Int>, number: UInt32) {
        let isHexadecimal = start < count && (self[start] == UInt8(ascii: "x") || self[start] == UInt8(ascii: "X"))
        let base: UInt32 = isHexadecimal ? 16 : 10
        let first = isHexadecimal ? start + 1 : start
        var (end, number): (Int, UInt32) = (first, 0)
        while end < count, let digit = self[end].digit(base) {
            number = Swift.min(number * base + digit, CharacterReferences.beyondUnicode)
            end += 1
        }
        return (first..<end, number)
    }

    /// Whether `text` is at `position`, in exactly this case.
    fileprivate func isPlainWord(_ text: StaticString, at position: Int) -> Bool {
        guard text.utf8CodeUnitCount <= count - position else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { self[position + $0] == text.utf8Start[$0] }
    }
}

extension UInt8 {
    /// The value of a digit to the base 10 or 16; `nil` for another character.
    fileprivate func digit(_ base: UInt32) -> UInt32? {
        guard let value = hexDigitValue.map({ UInt32($0) }), value < base else { return nil }
        return value
    }
}
