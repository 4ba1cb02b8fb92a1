import Consent
import Identifiers
import Interactions
import Reports
import TestSupport
import Testing

@Suite struct PeopleFiguresTests {
    @Test("tracked once is tracked, else the latest decision counts")
    func reasons() {
        let cases: [([DecisionReason], DecisionReason)] = [
            ([.noConsentRecord], .noConsentRecord), ([.noConsentRecord, .consentGiven], .consentGiven),
            ([.consentGiven, .consentWithdrawn], .consentGiven), ([.consentGiven, .notOptedOut], .consentGiven),
            ([.noConsentRecord, .consentRefused], .consentRefused),
            ([.consentRefused, .noConsentRecord], .noConsentRecord),
            ([.noConsentRecord, .notOptedOut, .consentWithdrawn], .notOptedOut),
        ]
        for (decisions, expected) in cases {
            let reason = decisions.reduce(nil) { ComposedPerson.reason(after: $0, $1) }
            #expect(reason == expected, "\(decisions)")
        }
    }

    @Test("rates are of tracked people, bounds of everybody")
    func figures() {
        let people = PeopleFigures(
            byReason: .together([
                .consentGiven: 200, .notOptedOut: 100, .noConsentRecord: 600, .consentWithdrawn: 100,
            ]),
            responders: Responders(clickers: 60, openers: 90, possibleOpeners: 30, machineOpeners: 50),
            measuresOpens: true)
        #expect(people.composed == 1000)
        #expect(people.tracked == .together(300))
        #expect(people.untracked == .together([.noConsentRecord: 600, .consentWithdrawn: 100]))
        #expect(people.coverage(of: .clicks) == Rate(300, of: 1000))
        #expect(people.coverage(of: .opens) == Rate(300, of: 1000))
        #expect(people.clickRate == Rate(60, of: 300))
        #expect(people.openRate == Rate(90, of: 300))
        #expect(people.possibleOpenRate == Rate(120, of: 300))
        #expect(people.clickBounds.range == Bounds.Range(low: 0.06, high: 0.76))
        #expect(people.openBounds.range == Bounds.Range(low: 0.09, high: 0.87))
    }

    @Test("where clicks and opens are decided apart, each rate is of the people who are tracked for it")
    func apart() {
        let people = PeopleFigures(
            byReason: .apart(
                clicks: [.consentGiven: 300, .noConsentRecord: 700],
                opens: [.consentGiven: 100, .consentRefused: 900]),
            responders: Responders(clickers: 60, openers: 40, possibleOpeners: 30, machineOpeners: 0),
            measuresOpens: true)
        #expect(people.composed == 1000)
        #expect(people.tracked == .apart(clicks: 300, opens: 100))
        #expect(people.untracked == .apart(clicks: [.noConsentRecord: 700], opens: [.consentRefused: 900]))
        #expect(people.coverage(of: .clicks) == Rate(300, of: 1000))
        #expect(people.coverage(of: .opens) == Rate(100, of: 1000))
        #expect(people.clickRate == Rate(60, of: 300))
        #expect(people.openRate == Rate(40, of: 100))
        #expect(people.possibleOpenRate == Rate(70, of: 100))
        #expect(people.clickBounds.range == Bounds.Range(low: 0.06, high: 0.76))
        #expect(people.openBounds.range == Bounds.Range(low: 0.04, high: 0.97))
    }

    @Test("a reason without recipients is left out")
    func nobody() {
        let people = PeopleFigures(
            byReason: .together([.consentGiven: 1, .noConsentRecord: 0]),
            responders: Responders(clickers: 0, openers: 0, possibleOpeners: 0, machineOpeners: 0),
            measuresOpens: true)
        #expect(people.untracked[.clicks].isEmpty)
        #expect(people.composed == 1)
    }

    @Test("what is not known has no rate and no bounds")
    func unknown() {
        let people = PeopleFigures(
            byReason: .together([.consentGiven: 9, .noConsentRecord: 1]), responders: nil, measuresOpens: true)
        #expect(people.coverage(of: .clicks) == Rate(9, of: 10))
        #expect(people.clickRate.estimate == nil && people.clickRate.n == 9)
        #expect(people.possibleOpenRate.estimate == nil)
        #expect(people.clickBounds.range == nil && people.openBounds.range == nil && people.openBounds.n == 10)
    }

    @Test("where opens are not measured there are no openers and no rate of them, and clickers as ever")
    func unmeasured() {
        let people = PeopleFigures(
            byReason: .together([.consentGiven: 9, .noConsentRecord: 1]),
            responders: Responders(clickers: 3, openers: 0, possibleOpeners: 0, machineOpeners: 0),
            measuresOpens: false)
        #expect(people.clickRate == Rate(3, of: 9) && people.clickBounds.range == Bounds.Range(low: 0.3, high: 0.4))
        #expect(people.openers == nil && people.possibleOpeners == nil)
        #expect(people.openRate == Rate(nil, of: 9) && people.possibleOpenRate == Rate(nil, of: 9))
        #expect(people.openBounds.range == nil && people.openBounds.n == 10)
    }

    @Test(
        "opens are measured where the mail has a picture, or where one came, by whomever",
        arguments: [(false, nil, false), (true, nil, true), (false, .messageOpened, true)]
            + [(false, .pushNotificationOpened, true), (false, .pushNotificationReceived, false)]
            as [(Bool, InteractionKind?, Bool)])
    func measured(_ tracksOpens: Bool, _ kind: InteractionKind?, _ measures: Bool) {
        var activity = ActivityCounts()
        if let kind { activity[.kind(kind)] += ActivityTally(total: 1, automated: 1) }
        let counts = MessageCounts(
            decisions: [:], people: .together([:]), activity: MessageActivity(counts: activity),
            peopleCountedUntil: nil, tracksOpens: tracksOpens)
        #expect(counts.measuresOpens == measures && counts.figures.measuresOpens == measures)
    }

    @Test("days and hours are those in which something was counted, in order")
    func periods() {
        var counts = ActivityCounts()
        let (first, second) = (CalendarDay(.noon), CalendarDay(.noon + 86_400_000))
        counts[.clicksOnDay(second)] += ActivityTally(total: 3, people: 2)
        counts[.opensOnDay(second)] += ActivityTally(total: 5, people: 4)
        counts[.opensOnDay(first)] += ActivityTally(total: 1, people: 1)
        counts[.clicksInHour(47)] += ActivityTally(total: 1, people: 1)
        counts[.clicksInHour(2)] += ActivityTally(total: 2, people: 1)
        #expect(counts.days.map(\.key) == [first, second])
        #expect(counts.days.map(\.value.clicks.total) == [0, 3])
        #expect(counts.days.map(\.value.opens.people) == [1, 4])
        #expect(counts.hours.map(\.key) == [2, 47])
        #expect(counts.hours.map(\.value.clicks.total) == [2, 1])
    }

    @Test("counts that were changed are added up, and their rates stay between 0 and 1")
    func greatest() {
        let most = 1 << 62
        let people = PeopleFigures(
            byReason: .together([
                .consentGiven: most, .notOptedOut: most, .noConsentRecord: most, .consentWithdrawn: most,
            ]),
            responders: Responders(
                clickers: .maximumCountSum, openers: .maximumCountSum, possibleOpeners: .maximumCountSum,
                machineOpeners: .maximumCountSum),
            measuresOpens: true)
        #expect(people.composed == Int.maximumCountSum)
        #expect(people.tracked == .together(Int.maximumCountSum))
        #expect(people.possibleOpenRate.estimate?.value == 1)
        #expect(people.openBounds.range == Bounds.Range(low: 1, high: 1))
    }
}
