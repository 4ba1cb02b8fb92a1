package import Identifiers

/// One thing that is counted about a message.
package enum ActivityCounter: Hashable, Sendable {
    case kind(InteractionKind)
    /// Clicks on one link.
    case link(LinkIndex)
    /// Opens of one class. A recipient counts under the class that says most: person, then cannot tell, then machine.
    case opens(VisitorClass)
    case clicksOnDay(CalendarDay)
    case opensOnDay(CalendarDay)
    /// The hour after the message was made, from 0.
    case clicksInHour(Int)
    case opensInHour(Int)
    /// How often something came of a person that would change how many clicked or opened, and changed it not: retention
    /// had deleted what tells whether they are counted already.
    case uncounted

    /// How many hours after the message was made have counters of their own.
    package static let hours = 48

    /// Whether its people are those who clicked or opened.
    var isOfResponders: Bool {
        switch self {
        case .kind(let kind): kind == .pushLinkClicked
        case .opens: true
        case .link, .clicksOnDay, .opensOnDay, .clicksInHour, .opensInHour, .uncounted: false
        }
    }
}

/// What a counter has counted.
package struct ActivityTally: Hashable, Sendable {
    package static let zero = ActivityTally()

    package var total: Int
    /// Recipients who did it at least once, by themselves.
    package var people: Int
    package var automated: Int
    package var suspected: Int

    package init(total: Int = 0, people: Int = 0, automated: Int = 0, suspected: Int = 0) {
        self.total = total
        self.people = people
        self.automated = automated
        self.suspected = suspected
    }

    /// Holds each sum within `Int.greatestCountSum`.
    package static func += (one: inout Self, other: Self) {
        one.total.addCount(other.total)
        one.people.addCount(other.people)
        one.automated.addCount(other.automated)
        one.suspected.addCount(other.suspected)
    }

    /// Adds `other`.
    /// - Returns: whether nothing is left.
    fileprivate mutating func becomesZero(adding other: Self) -> Bool {
        self += other
        return self == .zero
    }

    package static func -= (one: inout Self, other: Self) {
        one += ActivityTally(
            total: -other.total, people: -other.people, automated: -other.automated, suspected: -other.suspected)
    }
}

/// The counters of a message that have counted something, or the difference of two such.
package struct ActivityCounts: Hashable, Sendable {
    package private(set) var tallies: [ActivityCounter: ActivityTally] = [:]

    package init() {}

    /// The zero tally for what was not counted.
    package subscript(_ counter: ActivityCounter) -> ActivityTally {
        get { tallies[counter] ?? .zero }
        set { tallies[counter] = newValue == .zero ? nil : newValue }
    }

    /// Looks the counter up once.
    mutating func add(_ tally: ActivityTally, to counter: ActivityCounter) {
        if tallies[counter, default: .zero].becomesZero(adding: tally) { tallies[counter] = nil }
    }

    package static func += (one: inout Self, other: Self) {
        for (counter, tally) in other.tallies { one.add(tally, to: counter) }
    }

    package static func -= (one: inout Self, other: Self) {
        for (counter, tally) in other.tallies { one[counter] -= tally }
    }
}
