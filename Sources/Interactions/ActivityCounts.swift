package import Identifiers

/// One thing that is counted about a message.
package enum ActivityCounter: Hashable, Sendable {
    case kind(InteractionKind)
    /// Clicks on one link.
    case link(LinkIndex)
    /// Opens of one class. A recipient counts under the class with the best evidence: person, then cannot tell, then
    /// machine.
    case opens(VisitorClass)
    case clicksOnDay(CalendarDay)
    case opensOnDay(CalendarDay)
    /// An hour after the message was made, counted from 0.
    case clicksInHour(Int)
    case opensInHour(Int)
    /// How often a recipient's interaction was not added to the numbers of clickers and openers, because retention had
    /// deleted the rows that tell whether the recipient is counted already.
    case uncounted

    /// For how many hours after the message was made there are counters.
    package static let hours = 48

    /// Whether `people` of this counter are those who clicked or opened.
    var isOfResponders: Bool {
        switch self {
        case .kind(let kind): kind == .pushLinkClicked
        case .opens: true
        case .link, .clicksOnDay, .opensOnDay, .clicksInHour, .opensInHour, .uncounted: false
        }
    }
}

/// The values of a counter.
package struct ActivityTally: Hashable, Sendable {
    package static let zero = ActivityTally()

    package var total: Int
    /// Recipients with at least one interaction that is not known to be a machine's.
    package var people: Int
    /// Interactions of machines: crawlers, previewers, scanners, and programs that fetch pictures before the mail is
    /// read.
    package var automated: Int
    /// Interactions that may be a scanner's: clicks on too many different links in too short a time for a person, and
    /// the opens near them.
    package var suspected: Int

    package init(total: Int = 0, people: Int = 0, automated: Int = 0, suspected: Int = 0) {
        self.total = total
        self.people = people
        self.automated = automated
        self.suspected = suspected
    }

    /// Keeps each sum within `Int.maximumCountSum`.
    package static func += (one: inout Self, other: Self) {
        one.total.addCount(other.total)
        one.people.addCount(other.people)
        one.automated.addCount(other.automated)
        one.suspected.addCount(other.suspected)
    }

    /// Adds `other`.
    /// - Returns: whether the result is zero.
    fileprivate mutating func becomesZero(adding other: Self) -> Bool {
        self += other
        return self == .zero
    }

    package static func -= (one: inout Self, other: Self) {
        one += ActivityTally(
            total: -other.total, people: -other.people, automated: -other.automated, suspected: -other.suspected)
    }
}

/// The counters of a message that are not zero, or the difference of two such values.
package struct ActivityCounts: Hashable, Sendable {
    package private(set) var tallies: [ActivityCounter: ActivityTally] = [:]

    package init() {}

    /// The tally of a counter; zero if it was not counted.
    package subscript(_ counter: ActivityCounter) -> ActivityTally {
        get { tallies[counter] ?? .zero }
        set { tallies[counter] = newValue == .zero ? nil : newValue }
    }

    /// Adds with a single look-up of the counter.
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
