extension Double {
    /// A share from 0 to 1, rounded to six places.
    package var decimal: String {
        let millionths = Int((self * 1_000_000).rounded())
        let (whole, rest) = millionths.quotientAndRemainder(dividingBy: 1_000_000)
        guard rest > 0 else { return String(whole) }
        var digits = String(rest)
        digits = String(repeating: "0", count: 6 - digits.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(whole).\(digits)"
    }
}
