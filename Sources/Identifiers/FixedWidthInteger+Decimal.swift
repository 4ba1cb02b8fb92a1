extension FixedWidthInteger {
    /// Reads a number in decimal digits as in JSON: without a plus sign and without leading zeros.
    /// - Returns: `nil` for any other spelling.
    package static func parse(decimal text: String) -> Self? {
        guard let value = Self(text), String(value) == text else { return nil }
        return value
    }
}
