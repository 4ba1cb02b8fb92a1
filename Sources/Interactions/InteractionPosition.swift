package import Identifiers

/// Where a stored interaction stands in its organization's feed.
///
/// The store makes it in the transaction that stores the interaction, in the order of the commits: one that is stored
/// later has a greater one, however long its click waited in a spool. It carries the time of storing. What was stored by
/// a version without positions has its id for one.
package struct InteractionPosition: EntityID {
    package let number: TimeOrderedNumber
    package init(_ number: TimeOrderedNumber) { self.number = number }
}

/// A place in the feed, behind an interaction that a reader has.
package enum InteractionPlace: Hashable, Sendable {
    case position(InteractionPosition)
    /// Behind the interaction with this id. Where it is stored no longer, behind the time that the id carries: a reader
    /// may get again what was stored between that time and the interaction's own storing.
    case interaction(InteractionID)
}
