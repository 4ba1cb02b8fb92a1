/// A proportion of people, with the interval in which the true rate lies with a confidence of 95 %.
///
/// The interval is Wilson's score interval (E. B. Wilson, "Probable inference, the law of succession, and statistical
/// inference", Journal of the American Statistical Association 22, 1927): it stays within 0 and 1, and it is right
/// for few people and for rates near 0 and 1 too.
package struct Rate: Hashable, Sendable {
    package struct Estimate: Hashable, Sendable {
        package let value: Double
        package let low: Double
        package let high: Double
    }

    /// The quantile of the normal distribution that 95 % lie within.
    private static let z = 1.959963984540054

    /// Of how many people.
    package let n: Int
    /// `nil` for nobody, and where the count is not known: then there is no rate.
    package let estimate: Estimate?

    /// - Parameter count: `nil` where it is not known. At most `n` counts: recipients that were forgotten can count more
    ///   than once.
    package init(_ count: Int?, of n: Int) {
        self.n = max(n, 0)
        guard n > 0, let counted = count else {
            estimate = nil
            return
        }
        let count = min(max(counted, 0), n)
        let (size, share) = (Double(n), Double(count) / Double(n))
        let square = Self.z * Self.z
        let center = (share + square / (2 * size)) / (1 + square / size)
        let spread = (share * (1 - share) / size + square / (4 * size * size)).squareRoot()
        let half = Self.z * spread / (1 + square / size)
        // Exact at the ends, where rounding would leave something like 1e-17.
        estimate = Estimate(
            value: share, low: count == 0 ? 0 : max(0, center - half), high: count == n ? 1 : min(1, center + half))
    }
}

/// Between which shares of all people that were composed the truth lies, whatever those did who are not tracked.
package struct Bounds: Hashable, Sendable {
    package struct Range: Hashable, Sendable {
        package let low: Double
        package let high: Double

        package init(low: Double, high: Double) {
            self.low = low
            self.high = high
        }
    }

    /// How many people were composed.
    package let n: Int
    /// `nil` for nobody, and where it is not known who did it.
    package let range: Range?

    /// - Parameters:
    ///   - known: who certainly did it.
    ///   - unknown: of whom it is not known.
    package init(known: Int?, unknown: Int, of n: Int) {
        self.n = max(n, 0)
        guard n > 0, let known else {
            range = nil
            return
        }
        let low = min(max(known, 0), n)
        range = Range(low: Double(low) / Double(n), high: Double(min(low + max(unknown, 0), n)) / Double(n))
    }
}
