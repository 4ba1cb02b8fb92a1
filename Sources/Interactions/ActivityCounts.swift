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

/// The drain counts each click under five counters, in a dictionary. Comparing and hashing one word takes a fraction of
/// the time that the functions take which the compiler makes for the cases.
extension ActivityCounter {
    package static func == (one: Self, other: Self) -> Bool { one.word == other.word }

    package func hash(into hasher: inout Hasher) { hasher.combine(word) }

    package func _rawHashValue(seed: Int) -> Int { word._rawHashValue(seed: seed) }

    /// Another number for each counter: the case in the low four bits. A day of service time has fewer than 60 bits.
    private var word: Int64 {
        switch self {
        case .uncounted: 0
        case .kind(let kind): Int64(kind.code) << 4 | 1
        case .link(let link): Int64(link.rawValue) << 4 | 2
        case .opens(.person): 3
        case .opens(.cannotTell): 1 << 4 | 3
        case .opens(.machine): 2 << 4 | 3
        case .clicksOnDay(let day): day.number << 4 | 4
        case .opensOnDay(let day): day.number << 4 | 5
        case .clicksInHour(let hour): Int64(hour) << 4 | 6
        case .opensInHour(let hour): Int64(hour) << 4 | 7
        }
    }
}

/// The values of a counter.
package struct ActivityTally: Hashable, Sendable {
    package static let zero = ActivityTally()

    package var total: Int
    /// Recipients who did it at least once themselves.
    package var people: Int
    package var automated: Int
    package var suspected: Int

    package init(total: Int = 0, people: Int = 0, automated: Int = 0, suspected: Int = 0) {
        self.total = total
        self.people = people
        self.automated = automated
        self.suspected = suspected
    }

    /// Keeps each sum within `Int.greatestCountSum`.
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
