extension FixedWidthInteger {
    /// The number that `text` writes in decimal digits as JSON does: without a plus sign, without zeros in front.
    /// - Returns: `nil` for every other spelling.
    package static func parse(decimal text: String) -> Self? {
        guard let value = Self(text), String(value) == text else { return nil }
        return value
    }
}
