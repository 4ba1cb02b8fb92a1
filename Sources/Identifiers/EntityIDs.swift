/// The id of one kind of entity. Each kind has its own type, so that ids of different kinds cannot be confused.
package protocol EntityID: Hashable, Comparable, Sendable, CustomStringConvertible {
    var number: TimeOrderedNumber { get }
    init(_ number: TimeOrderedNumber)
}

extension EntityID {
    package static func < (one: Self, other: Self) -> Bool { one.number < other.number }

    package var description: String { number.description }

    /// Reads an id in the form of ``description``.
    package init(_ text: String) throws(IdentifierError) { self.init(try TimeOrderedNumber(text)) }

    package init?(rawValue: UInt64) {
        guard let number = TimeOrderedNumber(rawValue: rawValue) else { return nil }
        self.init(number)
    }

    package var rawValue: UInt64 { number.rawValue }

    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// Hashing one word takes a third of the time if it is not fed into a hasher.
    package func _rawHashValue(seed: Int) -> Int { rawValue._rawHashValue(seed: seed) }
}

/// A message of an organization. Together with a link index it identifies the target of a link.
package struct MessageID: EntityID {
    package let number: TimeOrderedNumber
    package init(_ number: TimeOrderedNumber) { self.number = number }
}

/// A stored consent record.
package struct ConsentRecordID: EntityID {
    package let number: TimeOrderedNumber
    package init(_ number: TimeOrderedNumber) { self.number = number }
}

/// A stored decision. Decisions of a service are ordered by it.
package struct DecisionID: EntityID {
    package let number: TimeOrderedNumber
    package init(_ number: TimeOrderedNumber) { self.number = number }
}

/// A request for consent that was made for a recipient.
package struct ConsentRequestID: EntityID {
    package let number: TimeOrderedNumber
    package init(_ number: TimeOrderedNumber) { self.number = number }
}

/// An interaction. The id is made when the click is spooled, so that draining a click twice stores it once.
package struct InteractionID: EntityID {
    package let number: TimeOrderedNumber
    package init(_ number: TimeOrderedNumber) { self.number = number }
}

/// An address of an organization that events are sent to.
package struct EndpointID: EntityID {
    package let number: TimeOrderedNumber
    package init(_ number: TimeOrderedNumber) { self.number = number }
}

/// A recorded look at the data about a recipient.
package struct AccessID: EntityID {
    package let number: TimeOrderedNumber
    package init(_ number: TimeOrderedNumber) { self.number = number }
}
