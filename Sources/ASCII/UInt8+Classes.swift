/// Classes of characters. No byte of a longer character of UTF-8 is in any of them.
extension UInt8 {
    @inlinable package var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    @inlinable package var isUpperCaseLetter: Bool { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") }

    @inlinable package var isLowerCaseLetter: Bool { self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") }

    @inlinable package var isLetter: Bool { (self | 0x20).isLowerCaseLetter }

    @inlinable package var isLetterOrDigit: Bool { isLetter || isDigit }

    /// A letter in lower case; any other byte unchanged.
    @inlinable package var lowerCased: UInt8 { isUpperCaseLetter ? self | 0x20 : self }

    /// The characters of names in paths: letters, digits, `.`, `_` and `-`.
    @inlinable package var isNameCharacter: Bool {
        isLetterOrDigit || self == UInt8(ascii: ".") || self == UInt8(ascii: "_") || self == UInt8(ascii: "-")
    }

    /// The characters that need no percent-encoding anywhere in a URL (RFC 3986, 2.3).
    @inlinable package var isUnreserved: Bool { isNameCharacter || self == UInt8(ascii: "~") }

    /// A character that can be seen, or a space.
    @inlinable package var isPrintable: Bool { self >= 0x20 && self <= 0x7E }

    @inlinable package var isVisible: Bool { self >= 0x21 && self <= 0x7E }
}
