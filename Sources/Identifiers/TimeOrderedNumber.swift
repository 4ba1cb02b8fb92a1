/// A positive 63-bit number that grows with time: 42 bits of milliseconds since 1970, then 21 bits that make it unique:
/// 7 bits with the ``NodeSlot`` that made it, and 14 bits of a count. In numbers of versions without slots, the 21 bits
/// are random.
///
/// It serves as a primary key that appends to the end of its B-tree, as a place in a list, and as a time. Its text is
/// lower-case hexadecimal without leading zeros, which other systems can parse as a signed 64-bit integer.
package struct TimeOrderedNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    static let countBits: UInt64 = 14
    package static let uniqueBits = NodeSlot.bits + countBits

    /// No node makes this number or a greater one: service time ends 50 days before the last time that a number can
    /// carry (``ServiceTime/end``), and the numbers of 25 days are never used up. A stored one was forged.
    package static let endOfMade: UInt64 = ((1 << 42) - (1 << 31)) << uniqueBits

    package let rawValue: UInt64

    /// Whether a node can have made it (``endOfMade``).
    package var canBeMade: Bool { rawValue < Self.endOfMade }

    /// - Returns: `nil` for zero and for numbers with more than 63 bits.
    package init?(rawValue: UInt64) {
        guard rawValue > 0, rawValue <= UInt64(Int64.max) else { return nil }
        self.rawValue = rawValue
    }

    /// Reads a number in the form of ``description``; refuses any other spelling.
    package init(_ text: String) throws(IdentifierError) {
        guard (1...16).contains(text.utf8.count), let value = UInt64(text, radix: 16),
            let number = Self(rawValue: value),
            number.description == text
        else { throw .number }
        self = number
    }

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

    package var description: String { String(rawValue, radix: 16) }

    /// When the number was made.
    package var timestamp: Timestamp {
        Timestamp(millisecondsSince1970: Int64(rawValue >> Self.uniqueBits))
    }

    /// The least raw value of a number that is made at or after `timestamp`.
    package static func lowerBound(at timestamp: Timestamp) -> UInt64 {
        let milliseconds = min(max(timestamp.millisecondsSince1970, 0), Int64.max >> Int64(uniqueBits))
        return UInt64(milliseconds) << uniqueBits
    }
}
