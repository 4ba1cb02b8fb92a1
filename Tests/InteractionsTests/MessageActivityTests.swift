import Identifiers
import Interactions
import TestSupport
import Testing

@Suite struct MessageActivityTests {
    /// A click of `person` on `link`, so many milliseconds after noon; person 0 is an erased one.
    struct Click: Sendable {
        let person: UInt64
        let link: UInt16
        let at: Int64
        let automated: Bool
        let kind: InteractionKind

        init(
            _ person: UInt64, _ link: UInt16, at: Int64, automated: Bool = false,
            kind: InteractionKind = .pushLinkClicked
        ) {
            self.person = person
            self.link = link
            self.at = at
            self.automated = automated
            self.kind = kind
        }

        var row: MessageActivity.Row {
            MessageActivity.Row(
                recipient: RecipientReference(rawValue: person), kind: kind,
                occurredAt: Timestamp(millisecondsSince1970: 1_795_338_000_000 + at),
                link: LinkIndex(rawValue: link), visitor: automated ? .machine : .person)
        }
    }

    private func activity(_ clicks: [Click]) -> MessageActivity {
        MessageActivity(of: clicks.map(\.row))
    }

    private func clicks(_ clicks: [Click]) -> ActivityTally { activity(clicks).counts[.kind(.pushLinkClicked)] }

    private func kinds(of activity: MessageActivity) -> [InteractionKind: ActivityTally] {
        var kinds: [InteractionKind: ActivityTally] = [:]
        for (counter, tally) in activity.counts.tallies {
            if case .kind(let kind) = counter { kinds[kind] = tally }
        }
        return kinds
    }

    @Test("nothing comes of nothing")
    func nothing() {
        #expect(activity([]).counts.tallies.isEmpty)
        #expect(activity([]).links.isEmpty)
    }

    @Test("a person counts once however often they click, and each click in the total")
    func unique() {
        let activity = activity([
            Click(1, 1, at: 0), Click(1, 1, at: 10), Click(1, 2, at: 60_000), Click(2, 1, at: 5),
        ])
        #expect(kinds(of: activity) == [.pushLinkClicked: ActivityTally(total: 4, people: 2)])
        #expect(activity.links[LinkIndex(rawValue: 1)]?.clicks == 3)
        #expect(activity.links[LinkIndex(rawValue: 1)]?.unique == 2)
        #expect(activity.links[LinkIndex(rawValue: 2)]?.clicks == 1)
        #expect(activity.links[LinkIndex(rawValue: 2)]?.unique == 1)
        #expect(activity.links.count == 2)
    }

    @Test("what a machine did is in the total, and makes nobody one who clicked")
    func automated() {
        #expect(clicks([Click(1, 1, at: 0, automated: true)]) == ActivityTally(total: 1, people: 0, automated: 1))
        let both = [Click(1, 1, at: 0, automated: true), Click(1, 1, at: 60_000)]
        #expect(clicks(both) == ActivityTally(total: 2, people: 1, automated: 1))
        #expect(activity(both).links[LinkIndex(rawValue: 1)]?.clicks == 1)
        #expect(activity([Click(1, 1, at: 0, automated: true)]).links.isEmpty)
    }

    @Test(
        "an opening within two seconds of a scanner's clicks is the scanner's",
        arguments: [
            (0, 0), (1000, 1), (1001, 1), (3000, 1), (3010, 1), (5010, 1), (5020, 1), (5021, 0), (999, 0),
        ])
    func openingsBesideBursts(_ instant: Int64, _ suspected: Int) {
        let burst = [Click(1, 1, at: 3000), Click(1, 2, at: 3010), Click(1, 3, at: 3020)]
        let opening = Click(1, 0, at: instant, kind: .messageOpened)
        let other = Click(2, 0, at: 3000, kind: .messageOpened)
        let rows = (burst + [opening]).sorted { $0.at < $1.at } + [other]
        let opened = activity(rows).counts[.kind(.messageOpened)]
        #expect(opened == ActivityTally(total: 2, people: 2 - suspected, suspected: suspected))
        let person = [Click(1, 1, at: 0), opening]
        #expect(activity(person).counts[.kind(.messageOpened)] == ActivityTally(total: 1, people: 1))
    }

    @Test("each kind counts by itself, and only clicks on links count for links")
    func kinds() {
        let activity = activity([
            Click(1, 0, at: 0, kind: .pushNotificationOpened), Click(1, 1, at: 1),
            Click(1, 0, at: 2, kind: .pushNotificationOpened), Click(2, 0, at: 0, kind: .pushNotificationOpened),
        ])
        #expect(
            kinds(of: activity) == [
                .pushLinkClicked: ActivityTally(total: 1, people: 1),
                .pushNotificationOpened: ActivityTally(total: 3, people: 2),
            ])
        #expect(activity.links.keys.map(\.rawValue) == [1])
    }

    @Test(
        "three different links within two seconds are a scanner's",
        arguments: [
            // Exactly two seconds from the first to the third are within, a millisecond more is not.
            ([Click(1, 1, at: 0), Click(1, 2, at: 1000), Click(1, 3, at: 2000)], 3),
            ([Click(1, 1, at: 0), Click(1, 2, at: 1000), Click(1, 3, at: 2001)], 0),
            ([Click(1, 1, at: 0), Click(1, 2, at: 0), Click(1, 3, at: 0)], 3),
            // Two links are a person's, however often and fast.
            ([Click(1, 1, at: 0), Click(1, 2, at: 1), Click(1, 1, at: 2), Click(1, 2, at: 3), Click(1, 1, at: 4)], 0),
            ([Click(1, 1, at: 0), Click(1, 1, at: 1), Click(1, 1, at: 2)], 0),
            // A link clicked again within the burst belongs to it.
            ([Click(1, 1, at: 0), Click(1, 2, at: 1), Click(1, 1, at: 2), Click(1, 3, at: 3)], 4),
            // A burst in the middle of what the person did themselves.
            (
                [
                    Click(1, 1, at: 0), Click(1, 1, at: 10_000), Click(1, 2, at: 10_100), Click(1, 3, at: 10_200),
                    Click(1, 2, at: 20_000),
                ], 3
            ),
            // Every click of a chain lies within two seconds of two other links.
            ([Click(1, 1, at: 0), Click(1, 2, at: 1000), Click(1, 3, at: 2000), Click(1, 4, at: 3000)], 4),
            ([Click(1, 1, at: 0), Click(1, 2, at: 1000), Click(1, 3, at: 2000), Click(1, 3, at: 3001)], 3),
            // The window moves on: the first click is not within two seconds of the third link.
            ([Click(1, 1, at: 0), Click(1, 2, at: 1500), Click(1, 3, at: 2500), Click(1, 4, at: 3000)], 3),
            // Two bursts.
            (
                [
                    Click(1, 1, at: 0), Click(1, 2, at: 1), Click(1, 3, at: 2), Click(1, 1, at: 60_000),
                    Click(1, 2, at: 60_001), Click(1, 3, at: 60_002),
                ], 6
            ),
            // Three links of two people.
            ([Click(1, 1, at: 0), Click(1, 2, at: 1), Click(2, 3, at: 2), Click(2, 1, at: 3)], 0),
        ]
    )
    func bursts(_ rows: [Click], _ suspected: Int) {
        #expect(clicks(rows).suspected == suspected)
        #expect(clicks(rows).total == rows.count)
    }

    @Test("a burst is in the total, not among the unique nor in the links")
    func burstCounts() {
        let burst = [Click(1, 1, at: 0), Click(1, 2, at: 1), Click(1, 3, at: 2)]
        #expect(clicks(burst) == ActivityTally(total: 3, people: 0, suspected: 3))
        #expect(activity(burst).links.isEmpty)
        let later = burst + [Click(1, 2, at: 600_000)]
        #expect(clicks(later) == ActivityTally(total: 4, people: 1, suspected: 3))
        #expect(activity(later).links.mapValues(\.clicks) == [LinkIndex(rawValue: 2): 1])
    }

    @Test("what is no click is no part of a burst")
    func otherKinds() {
        let rows = [
            Click(1, 1, at: 0), Click(1, 0, at: 1, kind: .pushNotificationOpened), Click(1, 2, at: 2),
            Click(1, 0, at: 3, kind: .pushNotificationClicked),
        ]
        #expect(kinds(of: activity(rows)).values.allSatisfy { $0.suspected == 0 })
        let burst = rows + [Click(1, 3, at: 4)]
        #expect(activity(burst).counts[.kind(.pushLinkClicked)].suspected == 3)
        #expect(activity(burst).counts[.kind(.pushNotificationOpened)] == ActivityTally(total: 1, people: 1))
    }

    @Test("the rule that marks bursts agrees with asking every three clicks")
    func naive() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            var at: Int64 = 0
            let rows = (0..<Int.random(in: 1...10, using: &generator)).map { _ in
                at += .random(in: 0...1500, using: &generator)
                return Click(1, .random(in: 1...4, using: &generator), at: at)
            }
            let marked = rows.indices.filter { place in
                rows.indices.contains { start in
                    // Some window of two seconds that begins with a click holds this click and three links.
                    let window = rows.filter { (rows[start].at...rows[start].at + 2000).contains($0.at) }
                    return window.contains { $0.at == rows[place].at } && Set(window.map(\.link)).count >= 3
                }
            }
            #expect(clicks(rows).suspected == marked.count, "\(rows)")
        }
    }

    @Test("an interaction that is nobody's counts only in totals, and is no scanner's")
    func nobody() {
        var activity = MessageActivity()
        for click in [Click(1, 1, at: 0), Click(1, 2, at: 1), Click(1, 3, at: 2)] { activity.addOfNobody(click.row) }
        activity.addOfNobody(Click(1, 1, at: 3, kind: .messageOpened).row)
        #expect(activity.counts[.kind(.pushLinkClicked)] == ActivityTally(total: 3))
        #expect(activity.counts[.kind(.messageOpened)] == ActivityTally(total: 1))
        #expect(activity.links[LinkIndex(rawValue: 1)]?.clicks == 1)
        #expect(activity.counts.tallies.values.allSatisfy { $0.people == 0 && $0.suspected == 0 })
    }

    @Test("erased people stay in the totals and are nobody in particular")
    func erased() {
        let rows = [Click(0, 1, at: 0), Click(0, 1, at: 1), Click(0, 2, at: 2), Click(0, 3, at: 3), Click(7, 1, at: 4)]
        let activity = activity(rows)
        #expect(activity.counts[.kind(.pushLinkClicked)].total == 5)
        #expect(activity.counts[.kind(.pushLinkClicked)].suspected == 0, "they need not be one person's")
        #expect(activity.links[LinkIndex(rawValue: 1)]?.clicks == 3)
        #expect(
            activity.counts[.kind(.pushLinkClicked)].people == 1,
            "erasing somebody does not make several people of them")
        #expect(activity.links[LinkIndex(rawValue: 1)]?.unique == 1)
    }
}
