import Identifiers
import Interactions
import TestSupport
import Testing

@Suite struct JudgedActivityTests {
    private static let recipient = RecipientReference(rawValue: 1)

    private func counts(_ rows: [MessageActivity.Row]) -> ActivityCounts {
        JudgedActivity(rows, madeAt: .noon).counts
    }

    private func click(_ link: UInt16, at: Int64) -> MessageActivity.Row {
        MessageActivity.Row(
            recipient: Self.recipient, kind: .pushLinkClicked, occurredAt: .noon + at, link: LinkIndex(rawValue: link),
            visitor: .person)
    }

    private func opening(at: Int64, _ visitor: VisitorClass = .person) -> MessageActivity.Row {
        MessageActivity.Row(
            recipient: Self.recipient, kind: .messageOpened, occurredAt: .noon + at, link: .message, visitor: visitor)
    }

    /// Few links, and times that are near each other for a small `span`, so that bursts are frequent; for a large one they
    /// are rare, and days and hours many.
    private func history(_ count: Int, span: Int64, _ random: inout SeededGenerator) -> [MessageActivity.Row] {
        (0..<count).map { _ in
            let kinds = InteractionKind.allCases + [.pushLinkClicked, .pushLinkClicked, .messageOpened]
            let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
            let visitors: [VisitorClass] = [.person, .person, .cannotTell, .machine]
            return MessageActivity.Row(
                recipient: Self.recipient, kind: kind,
                occurredAt: .noon + Int64.random(in: -5..<span, using: &random) * 500,
                link: kind == .pushLinkClicked ? LinkIndex(rawValue: .random(in: 1...4, using: &random)) : .message,
                visitor: visitors[Int.random(in: 0..<visitors.count, using: &random)])
        }
    }

    @Test(
        "after each that is added, in any order, it counts what all of them count from nothing",
        arguments: [6, 20, 60, 400, 400_000] as [Int64])
    func everyPrefix(_ span: Int64) {
        var random = SeededGenerator(seed: UInt64(span))
        for _ in 0..<150 {
            let rows = history(32, span: span, &random)
            let stored = Int.random(in: 0...16, using: &random)
            var expected = counts(Array(rows.prefix(stored)))
            var activity = JudgedActivity(Array(rows.prefix(stored)), madeAt: .noon)
            #expect(activity.counts == expected)
            for index in stored..<rows.count {
                activity.add(rows[index])
                activity.finish()
                var counted = counts(Array(rows.prefix(stored)))
                counted += activity.difference
                expected = counts(Array(rows.prefix(index + 1)))
                #expect(counted == expected)
                #expect(activity.counts == expected)
                #expect(activity.isClicker == (expected[.kind(.pushLinkClicked)].people > 0))
                let classes = VisitorClass.allCases.filter { expected[.opens($0)].people > 0 }
                #expect(activity.openClass.map { [$0] } ?? [] == classes)
            }
        }
    }

    @Test("added in batches it counts the same", arguments: [6, 20, 60, 400] as [Int64])
    func batches(_ span: Int64) {
        var random = SeededGenerator(seed: UInt64(span) + 1)
        for _ in 0..<150 {
            let rows = history(32, span: span, &random)
            var counted = ActivityCounts()
            var place = 0
            while place < rows.count {
                let end = min(place + Int.random(in: 1...12, using: &random), rows.count)
                // As a store does: what was stored before, and a batch.
                var activity = JudgedActivity(Array(rows[..<place]), madeAt: .noon)
                for row in rows[place..<end] { activity.add(row) }
                activity.finish()
                counted += activity.difference
                place = end
                #expect(counted == counts(Array(rows[..<place])))
            }
        }
    }

    @Test(
        "three links in exactly two seconds are a scanner's, and a millisecond more makes a person", arguments: [0, 1])
    func edge(_ more: Int64) {
        var activity = JudgedActivity([click(1, at: 0), click(2, at: 1000)], madeAt: .noon)
        #expect(activity.isClicker)
        activity.add(click(3, at: 2000 + more))
        activity.finish()
        #expect(activity.isClicker == (more == 1))
        #expect(activity.counted[.kind(.pushLinkClicked)].suspected == (more == 1 ? 0 : 3))
        #expect(activity.counted[.link(LinkIndex(rawValue: 1))].people == (more == 1 ? 0 : -1))
    }

    @Test("an opening near a burst that was judged before is the scanner's, and one further away is not")
    func openings() {
        let burst = [click(1, at: 0), click(2, at: 0), click(3, at: 0)]
        for (at, isOpen) in [(2000, false), (-2000, false), (2001, true), (-2001, true)] as [(Int64, Bool)] {
            var activity = JudgedActivity(burst, madeAt: .noon)
            activity.add(opening(at: at))
            activity.finish()
            #expect((activity.openClass == .person) == isOpen, "\(at)")
            #expect(activity.counted[.kind(.messageOpened)].suspected == (isOpen ? 0 : 1))
        }
    }

    @Test("an open that says more takes its person from the class that says less, once")
    func classes() {
        var activity = JudgedActivity([opening(at: 0, .machine)], madeAt: .noon)
        activity.add(opening(at: 9000, .cannotTell))
        activity.add(opening(at: 18_000, .person))
        activity.add(opening(at: 27_000, .machine))
        activity.finish()
        #expect(activity.counted[.opens(.machine)] == ActivityTally(total: 1, people: -1))
        #expect(activity.counted[.opens(.cannotTell)] == ActivityTally(total: 1, people: 0))
        #expect(activity.counted[.opens(.person)] == ActivityTally(total: 1, people: 1))
    }
}

extension JudgedActivity {
    /// By how much each counter changed.
    fileprivate var counted: ActivityCounts {
        var counts = ActivityCounts()
        counts += difference
        return counts
    }
}
