/// The id of one kind of thing, so that a message's cannot be taken for a decision's.
package protocol EntityID: Hashable, Comparable, Sendable, CustomStringConvertible {
    var number: TimeOrderedNumber { get }
    init(_ number: TimeOrderedNumber)
}

extension EntityID {
    package static func < (one: Self, other: Self) -> Bool { one.number < other.number }

    package var description: String { number.description }

    /// The id written as ``description`` writes it.
    package init(_ text: String) throws(IdentifierError) { self.init(try TimeOrderedNumber(text)) }

    package init?(rawValue: UInt64) {
        guard let number = TimeOrderedNumber(rawValue: rawValue) else { return nil }
        self.init(number)
    }

    package var rawValue: UInt64 { number.rawValue }

    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// One word hashes in a third of the time when it is not fed into a hasher.
    package func _rawHashValue(seed: Int) -> Int { rawValue._rawHashValue(seed: seed) }
}

/// One message of an organization. Together with a link index it says which target a link has.
package struct MessageID: EntityID {
    package let number: TimeOrderedNumber
    package init(_ number: TimeOrderedNumber) { self.number = number }
}

/// One stored consent record.
package struct ConsentRecordID: EntityID {
    package let number: TimeOrderedNumber
    package init(_ number: TimeOrderedNumber) { self.number = number }
}

/// One stored decision; decisions of a service are ordered by it.
package struct DecisionID: EntityID {
    package let number: TimeOrderedNumber
    package init(_ number: TimeOrderedNumber) { self.number = number }
}

/// One request for consent that was made for a recipient.
package struct ConsentRequestID: EntityID {
    package let number: TimeOrderedNumber
    package init(_ number: TimeOrderedNumber) { self.number = number }
}

/// One thing a recipient did. It is made when the click is spooled, so that draining a click twice stores it once.
package struct InteractionID: EntityID {
    package let number: TimeOrderedNumber
    package init(_ number: TimeOrderedNumber) { self.number = number }
}

/// One address of an organization that events are sent to.
package struct EndpointID: EntityID {
    package let number: TimeOrderedNumber
    package init(_ number: TimeOrderedNumber) { self.number = number }
}

/// One recorded look at what is held about a recipient.
package struct AccessID: EntityID {
    package let number: TimeOrderedNumber
    package init(_ number: TimeOrderedNumber) { self.number = number }
}
