/// Makes the numbers of one node. They never repeat and never go back, even if the clock does.
///
/// A number carries the millisecond of the request, the node's slot and a count. The numbers of one millisecond have no
/// gaps; when the count is used up, they continue in the next millisecond. One sequence serves one kind of entity in
/// one process. It must start after the greatest stored number, whichever node made that one. Sequences of two slots
/// never make the same number.
package struct TimeOrderedSequence: Sendable {
    /// The random start of the count of a millisecond, so that a number does not reveal how many others were made
    /// before it, for example for another organization. At least 12,288 counts are left.
    private static let firstCounts: Range<UInt64> = 0..<4096

    /// The slot, at its place in a number.
    private let slot: UInt64
    /// The last number that was made; before the first one, the number that it follows, which may have any slot.
    private var last: UInt64

    /// - Parameter last: the greatest number in use; `nil` if there is none yet. A number that no node can have made
    ///   counts as none: behind a forged one there may be no other.
    package init(slot: NodeSlot, after last: TimeOrderedNumber? = nil) {
        self.slot = UInt64(slot.rawValue) << TimeOrderedNumber.countBits
        self.last = 0
        follow(last)
    }

    /// The last number that was made or followed; `nil` before the first.
    package var greatest: TimeOrderedNumber? { TimeOrderedNumber(rawValue: last) }

    /// Continues after `other`, if that is greater and a node can have made it.
    package mutating func follow(_ other: TimeOrderedNumber?) {
        if let other, other.canBeMade { last = max(last, other.rawValue) }
    }

    /// The next number, greater than every one before. Its ``TimeOrderedNumber/timestamp`` is `now`, or later if the
    /// clock went back or the count of the millisecond is used up.
    ///
    /// - Parameter following: how many of the next numbers must have the same timestamp, if the clock does not change
    ///   meanwhile.
    package mutating func next(
        at now: Timestamp, following: UInt64 = 0, using generator: inout some RandomNumberGenerator
    ) -> TimeOrderedNumber {
        let millisecond = TimeOrderedNumber.lowerBound(at: now)
        if millisecond > last {
            last = millisecond | slot | UInt64.random(in: Self.firstCounts, using: &generator)
        } else {
            last = successor
            let millisecond: UInt64 = 1 << TimeOrderedNumber.uniqueBits
            let end = (last & ~(millisecond - 1) | slot) + (1 << TimeOrderedNumber.countBits)
            if end - last <= following { last = (last & ~(millisecond - 1)) + millisecond | slot }
        }
        guard let number = TimeOrderedNumber(rawValue: last) else {
            preconditionFailure("the clock is past the year 2109")
        }
        return number
    }

    /// The least number of this slot that is greater than the last one.
    private var successor: UInt64 {
        let next = last + 1
        let millisecond: UInt64 = 1 << TimeOrderedNumber.uniqueBits
        let start = next & ~(millisecond - 1) | slot
        if next <= start { return start }
        return next >> TimeOrderedNumber.countBits == start >> TimeOrderedNumber.countBits ? next : start + millisecond
    }
}
