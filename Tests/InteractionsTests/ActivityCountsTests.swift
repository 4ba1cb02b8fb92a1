import Identifiers
import Interactions
import TestSupport
import Testing

@Suite struct ActivityCountsTests {
    private static let hour: Int64 = 3_600_000
    private static let day = CalendarDay(.noon)
    private static let made = Timestamp.noon

    private func row(
        _ kind: InteractionKind = .pushLinkClicked, person: UInt64 = 1, link: UInt16 = 1, at: Int64 = 0,
        visitor: VisitorClass = .person
    ) -> MessageActivity.Row {
        MessageActivity.Row(
            recipient: RecipientReference(rawValue: person), kind: kind, occurredAt: Self.made + at,
            link: LinkIndex(rawValue: kind == .pushLinkClicked ? link : 0), visitor: visitor)
    }

    private func counts(_ rows: [MessageActivity.Row]) -> ActivityCounts {
        MessageActivity(of: rows, madeAt: Self.made).counts
    }

    @Test("no two counters are equal, and each is equal to itself")
    func counters() {
        let numbers = [0, 1, 2, 3, 15, 16, 47]
        let days = [Int64.min / 32, -1, 0, 1, 20_780].map(CalendarDay.init(number:))
        let counters =
            [ActivityCounter.uncounted] + InteractionKind.allCases.map(ActivityCounter.kind)
            + VisitorClass.allCases.map(ActivityCounter.opens)
            + [0, 1, 16, .max].map { .link(LinkIndex(rawValue: $0)) }
            + days.flatMap { [.clicksOnDay($0), .opensOnDay($0)] }
            + numbers.flatMap { [.clicksInHour($0), .opensInHour($0)] }
        for (place, counter) in counters.enumerated() {
            #expect(counters.firstIndex(of: counter) == place)
        }
        #expect(Set(counters).count == counters.count)
    }

    @Test("a click counts in its day and in its hour, and its person once in each")
    func periods() {
        let counts = counts([
            row(at: 0), row(at: Self.hour - 1), row(at: Self.hour), row(at: 13 * Self.hour), row(person: 2, at: 5),
        ])
        #expect(counts[.clicksOnDay(Self.day)] == ActivityTally(total: 4, people: 2))
        #expect(counts[.clicksOnDay(CalendarDay(number: Self.day.number + 1))] == ActivityTally(total: 1, people: 1))
        #expect(counts[.clicksInHour(0)] == ActivityTally(total: 3, people: 2))
        #expect(counts[.clicksInHour(1)] == ActivityTally(total: 1, people: 1))
        #expect(counts[.clicksInHour(13)] == ActivityTally(total: 1, people: 1))
    }

    @Test("hours are the first 48 after the message was made, and none before")
    func hours() {
        let counts = counts([row(at: -1), row(at: 48 * Self.hour - 1), row(at: 48 * Self.hour)])
        let hours = counts.tallies.keys.filter { if case .clicksInHour = $0 { true } else { false } }
        #expect(hours == [.clicksInHour(47)])
        #expect(counts[.kind(.pushLinkClicked)].total == 3)
    }

    @Test("what a machine or a burst did is in no day and no hour")
    func automated() {
        let scanner = (1...3).map { row(person: 2, link: UInt16($0), at: 5) }
        let counts = counts([row(visitor: .machine), row(.messageOpened, visitor: .machine)] + scanner)
        #expect(
            counts.tallies.keys.allSatisfy { counter in
                switch counter {
                case .kind, .opens: true
                case .link, .clicksOnDay, .opensOnDay, .clicksInHour, .opensInHour, .uncounted: false
                }
            })
        #expect(counts[.opens(.machine)] == ActivityTally(total: 1, people: 1))
    }

    @Test("a recipient with opens of two classes counts under the one that says most, in any order")
    func opens() {
        for rows in [
            [row(.messageOpened, visitor: .machine), row(.pushNotificationOpened, at: 5)],
            [row(.pushNotificationOpened, at: 5), row(.messageOpened, at: 6, visitor: .machine)],
        ] {
            let counts = counts(rows)
            #expect(counts[.opens(.person)] == ActivityTally(total: 1, people: 1))
            #expect(counts[.opens(.machine)] == ActivityTally(total: 1, people: 0))
        }
        let doubtful = counts([
            row(.messageOpened, visitor: .machine), row(.messageOpened, at: 9, visitor: .cannotTell),
        ])
        #expect(doubtful[.opens(.cannotTell)] == ActivityTally(total: 1, people: 1))
        #expect(doubtful[.opens(.machine)] == ActivityTally(total: 1, people: 0))
        #expect(doubtful[.opensOnDay(Self.day)] == .zero, "a day has what people did")
    }

    @Test("opens are openings of a message or a notification, and no taps or arrivals")
    func kinds() {
        #expect(InteractionKind.allCases.filter(\.isOpen) == [.pushNotificationOpened, .messageOpened])
    }

    @Test("what nobody in particular did counts no people")
    func nobody() {
        let counts = counts([row(person: 0), row(.messageOpened, person: 0)])
        #expect(counts.tallies.values.allSatisfy { $0.people == 0 })
        #expect(counts[.clicksOnDay(Self.day)].total == 1)
        #expect(counts[.opens(.person)].total == 1)
    }

    @Test("counted for nobody, the same interactions make the same totals")
    func withoutPeople() {
        let before = counts([row(), row(.messageOpened, at: 9), row(person: 2, visitor: .machine)])
        var changes = ActivityChanges()
        changes += before
        var counts = ActivityCounts()
        counts += changes.withoutPeople
        #expect(counts.tallies.values.allSatisfy { $0.people == 0 })
        #expect(counts[.kind(.pushLinkClicked)] == ActivityTally(total: 2, automated: 1))
        #expect(counts[.link(LinkIndex(rawValue: 1))].total == before[.link(LinkIndex(rawValue: 1))].total)
    }

    @Test("a time beyond all times has no hour and ends nothing")
    func extremes() {
        let activity = MessageActivity(of: [row(at: 0)], madeAt: .distantPast)
        #expect(activity.counts[.kind(.pushLinkClicked)].total == 1)
        #expect(!activity.counts.tallies.keys.contains { if case .clicksInHour = $0 { true } else { false } })
    }

    @Test("a difference that is added gives what it is the difference of, and leaves no zeros")
    func arithmetic() {
        let (before, after) = (counts([row(), row(link: 2, at: 5)]), counts([row(), row(.messageOpened, at: 9)]))
        var sum = before
        var difference = after
        difference -= before
        sum += difference
        #expect(sum == after)
        sum -= after
        #expect(sum == ActivityCounts())
    }

    @Test(
        "days are those of UTC, before 1970 too",
        arguments: [
            (0, "1970-01-01"), (-1, "1969-12-31"), (86_399_999, "1970-01-01"), (86_400_000, "1970-01-02"),
            (951_782_400_000, "2000-02-29"),
        ])
    func days(_ milliseconds: Int64, _ day: String) {
        #expect(CalendarDay(Timestamp(millisecondsSince1970: milliseconds)).description == day)
    }

    @Test("counts of any size can be added and taken away")
    func greatest() {
        let tally = ActivityTally(total: 1 << 62, people: 1 << 62, automated: 1 << 62, suspected: 1 << 62)
        var counts = ActivityCounts()
        counts[.kind(.messageOpened)] = tally
        counts += counts
        #expect(counts[.kind(.messageOpened)].total == Int.maximumCountSum)
        counts -= counts
        #expect(counts.tallies.isEmpty)
    }

    @Test(
        "a stored day is one of 1970 to 9999",
        arguments: [
            (0, "1970-01-01"), (2_932_896, "9999-12-31"), (-1, nil), (2_932_897, nil), (.max, nil), (.min, nil),
        ] as [(Int64, String?)])
    func storedDay(_ number: Int64, _ day: String?) {
        #expect(CalendarDay(stored: number)?.description == day)
    }
}
