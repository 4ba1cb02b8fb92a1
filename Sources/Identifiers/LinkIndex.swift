/// The place of a link in its message, from 1; 0 is the message itself.
package struct LinkIndex: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The message itself, as in a payload's `trackingId`.
    package static let message = LinkIndex(rawValue: 0)

    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

    package var description: String { String(rawValue) }
}
