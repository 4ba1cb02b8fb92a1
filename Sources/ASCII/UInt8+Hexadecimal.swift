extension UInt8 {
    @inlinable package var isHexDigit: Bool { hexDigitValue != nil }

    @inlinable package var isLowerCaseHexDigit: Bool { lowerCaseHexDigitValue != nil }

    /// The value of a digit in either case; `nil` for any other byte.
    @inlinable package var hexDigitValue: UInt8? { lowerCased.lowerCaseHexDigitValue }

    /// The value of a digit if it is not in upper case; `nil` for any other byte.
    @inlinable package var lowerCaseHexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self &- UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self &- UInt8(ascii: "a") &+ 10
        default: nil
        }
    }

    /// The digit of this number, which must be less than 16.
    @inlinable package var lowerCaseHexDigit: UInt8 {
        self < 10 ? UInt8(ascii: "0") &+ self : UInt8(ascii: "a") &+ self &- 10
    }

    /// The digit of this number, which must be less than 16.
    @inlinable package var upperCaseHexDigit: UInt8 {
        self < 10 ? UInt8(ascii: "0") &+ self : UInt8(ascii: "A") &+ self &- 10
    }
}
