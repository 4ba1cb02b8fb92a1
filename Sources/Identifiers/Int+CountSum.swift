/// Sums of counts that are stored in a database. A stored count may have been forged, and a sum of such counts must not
/// end the process.
extension Int {
    /// A sum of counts is at most this, and at least its negative. A few such sums can be added with `+`.
    package static let maximumCountSum = 1 << 60

    /// The sum of two counts, limited by ``maximumCountSum``.
    package static func countSum(_ one: Int, _ other: Int) -> Int {
        let (sum, overflow) = one.addingReportingOverflow(other)
        guard !overflow else { return one > 0 ? maximumCountSum : -maximumCountSum }
        return Swift.min(Swift.max(sum, -maximumCountSum), maximumCountSum)
    }

    /// Adds a count, and limits the sum by ``maximumCountSum``.
    package mutating func addCount(_ count: Int) { self = Self.countSum(self, count) }
}

extension Sequence<Int> {
    /// The sum of counts, limited by ``Swift/Int/maximumCountSum``.
    package var countSum: Int { reduce(0, Int.countSum) }
}
