/// A time in the form of ID tokens (NumericDate of RFC 7519, 2): whole seconds since 1970-01-01 UTC.
package struct UnixTime: Hashable, Comparable, Sendable {
    package let seconds: Int64

    package init(seconds: Int64) { self.seconds = seconds }

    package static func < (one: Self, other: Self) -> Bool { one.seconds < other.seconds }

    /// This time moved by `seconds`, limited to the range of the type.
    func advanced(by seconds: Int64) -> UnixTime {
        let (sum, overflow) = self.seconds.addingReportingOverflow(seconds)
        return UnixTime(seconds: overflow ? (seconds > 0 ? .max : .min) : sum)
    }
}
