/// A proportion of recipients, with the interval that contains the true rate with a confidence of 95 %.
///
/// The interval is Wilson's score interval (E. B. Wilson, "Probable inference, the law of succession, and statistical
/// inference", Journal of the American Statistical Association 22, 1927). It stays within 0 and 1, and is also correct
/// for few recipients and for rates near 0 and 1.
package struct Rate: Hashable, Sendable {
    package struct Estimate: Hashable, Sendable {
        package let value: Double
        package let low: Double
        package let high: Double
    }

    /// The quantile of the normal distribution for 95 %.
    private static let z = 1.959963984540054

    /// The number of recipients that the rate is about.
    package let n: Int
    /// `nil` if `n` is zero or the count is not known. Then there is no rate.
    package let estimate: Estimate?

    /// - Parameter count: `nil` if it is not known. It is limited to `n`, because forgotten recipients can count more
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
        // Exact at the ends, where rounding would give something like 1e-17.
        estimate = Estimate(
            value: share, low: count == 0 ? 0 : max(0, center - half), high: count == n ? 1 : min(1, center + half))
    }
}

/// The lowest and the highest possible share of all composed recipients, because it is not known what the untracked
/// ones did.
package struct Bounds: Hashable, Sendable {
    package struct Range: Hashable, Sendable {
        package let low: Double
        package let high: Double

        package init(low: Double, high: Double) {
            self.low = low
            self.high = high
        }
    }

    /// The number of recipients that were composed for.
    package let n: Int
    /// `nil` if `n` is zero or the count is not known.
    package let range: Range?

    /// - Parameters:
    ///   - known: how many certainly did it.
    ///   - unknown: for how many it is not known.
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
