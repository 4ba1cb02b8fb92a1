/// The number of a node, from 0 to 127. Every number that the node makes carries it, so numbers of two nodes never
/// collide, independent of the times that their clocks show.
///
/// A node keeps its slot as long as its data folder exists: it makes ids of clicks even when it reaches no other node,
/// so a slot cannot be lent for a time.
package struct NodeSlot: Hashable, Sendable {
    /// How many bits of a number are for the slot.
    package static let bits: UInt64 = 7
    /// The slot of the only node of an embedded storage.
    package static let single = NodeSlot(known: 0)

    package let rawValue: UInt8

    /// - Returns: `nil` for a number that does not fit into ``bits``.
    package init?(rawValue: UInt8) {
        guard rawValue >> Self.bits == 0 else { return nil }
        self.rawValue = rawValue
    }

    private init(known rawValue: UInt8) { self.rawValue = rawValue }
}
