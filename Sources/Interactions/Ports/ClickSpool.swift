package import Identifiers

/// The local file in which clicks are durable before their answer leaves.
///
/// Its calls block the thread they are made on, for it is local by definition: none of them may be made on an event loop or
/// on Swift's cooperative pool. Those that append, remove and erase come one at a time, from one thread of the redirect's;
/// the drain's reads and sets aside beside it.
package protocol ClickSpool: Sendable {
    /// Makes all of `occurrences` durable, as one batch, and gives each its id. When it throws, none of them is in the
    /// spool, or the spool has failed for good and says so from then on.
    func append(_ occurrences: [Occurrence]) throws -> SpoolPosition

    /// The oldest batches after `position`, in order, until `limit` occurrences are reached. A batch that is damaged is passed
    /// over, and stays in the spool's files when it is removed.
    func read(after position: SpoolPosition, limit: Int) throws -> SpoolReading

    /// Sets occurrences aside: they stay when the batch that they are of is removed, and are not read with the others.
    /// They take the place of what is set aside at `position` already; with none, nothing is any more. Durable on return.
    func park(_ occurrences: [SpooledOccurrence], at position: SpoolPosition) throws

    /// What is set aside at the first position after `position`; `nil` when nothing is.
    func parked(after position: SpoolPosition) throws -> SpoolReading?

    /// Forgets every batch up to and including `position`. Need not be durable on return: batches that come back are
    /// drained again, which stores nothing twice.
    func remove(through position: SpoolPosition) throws

    /// Leaves no byte of a removed batch in any file. Durable on return.
    func eraseResiduals() throws

    /// Writes something that changes nothing.
    /// - Throws: where an append would.
    func probe() throws
}

/// A place in the spool. Positions grow with time.
package struct SpoolPosition: Hashable, Comparable, Sendable {
    package static let start = SpoolPosition(rawValue: 0)

    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// The place before everything that was spooled at `instant` or later.
    package init(before instant: Timestamp) {
        rawValue = max(0, Int64(TimeOrderedNumber.lowerBound(at: instant)) - 1)
    }

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

package struct SpoolReading: Sendable {
    package let occurrences: [SpooledOccurrence]
    /// The place of the last batch read; where the reading began when there was none.
    package let position: SpoolPosition
    /// How many damaged batches were passed over for the first time.
    package let unreadableCount: Int

    package init(occurrences: [SpooledOccurrence], position: SpoolPosition, unreadableCount: Int = 0) {
        self.occurrences = occurrences
        self.position = position
        self.unreadableCount = unreadableCount
    }
}
