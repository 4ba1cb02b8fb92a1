/// Makes numbers that never repeat and never go back, even when the clock does.
///
/// A number carries the millisecond it was asked for and random low bits; when that would not exceed the last one made,
/// it is the last one and a little more. One sequence serves one kind of thing in one process: start it after the
/// greatest number already stored.
package struct TimeOrderedSequence: Sendable {
    private var last: UInt64

    /// - Parameter last: the greatest number in use, `nil` when there is none yet.
    package init(after last: TimeOrderedNumber? = nil) {
        self.last = last?.rawValue ?? 0
    }

    /// The next number, greater than every one before. Its ``TimeOrderedNumber/timestamp`` is `now`, or later by as
    /// much as the clock went back.
    package mutating func next(
        at now: Timestamp, using generator: inout some RandomNumberGenerator
    ) -> TimeOrderedNumber {
        let unique = UInt64.random(in: 0..<(1 << (TimeOrderedNumber.uniqueBits - 1)), using: &generator)
        let fresh = TimeOrderedNumber.lowerBound(at: now) | unique
        last = fresh > last ? fresh : last + 1 + UInt64.random(in: 0..<64, using: &generator)
        guard let number = TimeOrderedNumber(rawValue: last) else {
            preconditionFailure("the clock is past the year 2109")
        }
        return number
    }
}
