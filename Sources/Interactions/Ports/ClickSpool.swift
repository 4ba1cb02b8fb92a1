package import Identifiers

/// The local file in which clicks are durable before they are answered.
///
/// Its calls block the calling thread, because it is a local file: they must not run on an event loop or on Swift's
/// cooperative pool. Calls that append, remove and erase run one at a time, on one thread of the redirect; the drain
/// reads and sets aside at the same time.
package protocol ClickSpool: Sendable {
    /// Makes all of `occurrences` durable, as one batch, and gives each its id. If it throws, none of them is in the
    /// spool, or the spool has failed permanently and reports that from then on.
    func append(_ occurrences: [Occurrence]) throws -> SpoolPosition

    /// The oldest batches after `position`, in order, until there are `limit` occurrences. A damaged batch is skipped,
    /// and stays in the spool's files when it is removed.
    func read(after position: SpoolPosition, limit: Int) throws -> SpoolReading

    /// Sets occurrences aside: they stay when their batch is removed, and are not read with the others. They replace
    /// the ones that are set aside at `position`; an empty list removes those. A damaged batch there is not set aside
    /// any longer, and stays in the spool's files. Durable on return.
    func park(_ occurrences: [SpooledOccurrence], at position: SpoolPosition) throws

    /// The occurrences that are set aside at the first position after `position`; `nil` if there are none. A damaged
    /// batch is skipped.
    func parked(after position: SpoolPosition) throws -> SpoolReading?

    /// Removes every batch up to and including `position`. Need not be durable on return: batches that come back are
    /// drained again, and none is stored twice.
    func remove(through position: SpoolPosition) throws

    /// Removes all bytes of removed batches from every file. Durable on return.
    func eraseResiduals() throws

    /// Writes something without an effect.
    /// - Throws: if an append would throw.
    func probe() throws
}

/// A place in the spool. Positions grow with time.
package struct SpoolPosition: Hashable, Comparable, Sendable {
    package static let start = SpoolPosition(rawValue: 0)

    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// The place before everything that was spooled at or after `instant`.
    package init(before instant: Timestamp) {
        rawValue = max(0, Int64(TimeOrderedNumber.lowerBound(at: instant)) - 1)
    }

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// Occurrences that were read from a spool, and where the next read begins.
package struct SpoolReading: Sendable {
    package let occurrences: [SpooledOccurrence]
    /// The place of the last batch that was read; the beginning of the read if there was none.
    package let position: SpoolPosition
    /// How many damaged batches were skipped: of the batches that are set aside all, of others those that were not
    /// skipped before.
    package let unreadableCount: Int

    package init(occurrences: [SpooledOccurrence], position: SpoolPosition, unreadableCount: Int = 0) {
        self.occurrences = occurrences
        self.position = position
        self.unreadableCount = unreadableCount
    }
}
