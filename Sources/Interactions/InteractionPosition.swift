package import Identifiers

/// The position of a stored interaction in its organization's feed.
///
/// The store makes it in the transaction that stores the interaction, in the order of the commits: an interaction that
/// is stored later has a greater position, however long its click was in a spool. It carries the time of storing.
/// Interactions that were stored by a version without positions have their ids as positions.
package struct InteractionPosition: EntityID {
    package let number: TimeOrderedNumber
    package init(_ number: TimeOrderedNumber) { self.number = number }
}

extension InteractionPosition {
    /// The cursor of an earlier version was the id of an interaction, which has the same digits without the prefix.
    private static let cursorPrefix: Character = "p"

    /// The position as clients keep it.
    package var cursor: String { "\(Self.cursorPrefix)\(self)" }

    /// - Returns: `nil` if the text is not a ``cursor``.
    package init?(cursor: String) {
        guard cursor.first == Self.cursorPrefix, let position = try? Self(String(cursor.dropFirst())) else {
            return nil
        }
        self = position
    }
}

/// Where a reader continues in the feed: after an interaction that it has.
package enum InteractionFeedCursor: Hashable, Sendable {
    case position(InteractionPosition)
    /// After the interaction with this id. If that is no longer stored, after the time that the id carries: a reader
    /// may then get interactions again that were stored between that time and the time when this one was stored.
    case interaction(InteractionID)
}
