import Consent
import Identifiers
import Interactions
import Reports
import TestSupport
import Testing

@Suite struct ConsentTalliesTests {
    private static let day: Int64 = 86_400_000

    private static func record(
        _ number: UInt64, _ state: ConsentState, _ day: Int64, until end: Int64? = nil
    ) throws -> ConsentInForce {
        let number = try #require(TimeOrderedNumber(rawValue: number))
        return ConsentInForce(
            record: ConsentRecordID(number), state: state, occurredAt: .noon + day * Self.day,
            validUntil: end.map { .noon + $0 * Self.day })
    }

    @Test("records that are added one after the other, in any order, count as all of them at once")
    func order() throws {
        let records = [
            try Self.record(1, .given, 0, until: 5), try Self.record(2, .withdrawn, 3),
            try Self.record(3, .given, 3, until: 4), try Self.record(4, .given, 8),
            try Self.record(5, .given, -2, until: -1), try Self.record(6, .refused, 8),
        ]
        var random = SeededGenerator(seed: 5)
        var whole = ConsentTallies()
        whole.addTimeline(of: records)
        for _ in 0..<50 {
            var tallies = ConsentTallies()
            var known: [ConsentInForce] = []
            for record in records.shuffled(using: &random) {
                let before = ConsentInForce.inForce(among: known, at: record.occurredAt)
                let next = known.filter { $0.occurredAt > record.occurredAt }.min { $0.occurredAt < $1.occurredAt }
                tallies.add([record], between: Set([before, next].compactMap(\.self)))
                known.append(record)
            }
            #expect(tallies == whole)
        }
    }

    @Test("a consent that ends is expired from the day of its end, unless something was said before")
    func expiry() throws {
        var tallies = ConsentTallies()
        tallies.addTimeline(of: [try Self.record(1, .given, 0, until: 5)])
        let today = CalendarDay(.noon).number
        func count(_ counter: ConsentCounter, _ day: Int64) -> Int? {
            tallies.counts[.init(counter: counter, day: CalendarDay(number: today + day))]
        }
        #expect(count(.stock(.given), 0) == 1 && count(.stock(.given), 5) == -1)
        #expect(count(.stock(.expired), 5) == 1 && count(.expired, 5) == 1)
        tallies.add([try Self.record(2, .withdrawn, 4)], between: [try Self.record(1, .given, 0, until: 5)])
        #expect(count(.stock(.given), 4) == -1 && count(.stock(.withdrawn), 4) == 1)
        #expect(count(.stock(.expired), 5) == nil && count(.expired, 5) == nil)
    }

    @Test("who is erased counts under no status from then on, and expires no more")
    func erasure() throws {
        var tallies = ConsentTallies()
        tallies.addTimeline(of: [try Self.record(1, .given, -3, until: 5)])
        tallies.addErasure(of: try Self.record(1, .given, -3, until: 5), at: .noon)
        let today = CalendarDay(.noon).number
        let places = tallies.counts.map { ($0.key.counter, $0.key.day.number - today, $0.value) }
        #expect(places.count == 3)
        #expect(places.contains { $0 == (.stock(.given), -3, 1) })
        #expect(places.contains { $0 == (.stock(.given), 0, -1) })
        #expect(places.contains { $0 == (.erased, 0, 1) })
    }

    @Test("days are those that the time touches")
    func days() throws {
        func days(_ from: Timestamp, _ to: Timestamp) throws -> Int {
            let time = try ReportSelection(from: from, to: to, now: .noon)
            return ConsentReportSelection(time, purpose: nil, now: .noon).days.count
        }
        let midnight = Timestamp(millisecondsSince1970: CalendarDay(.noon).number * Self.day)
        #expect(try days(.noon, .noon) == 0)
        #expect(try days(midnight, midnight + Self.day) == 1)
        #expect(try days(midnight, midnight + (Self.day + 1)) == 2)
        #expect(try days(midnight + -1, midnight + 1) == 2)
        #expect(try days(.noon, .noon + 366 * Self.day) == 367)
    }

    @Test("evidence counts by what can be required")
    func evidence() {
        #expect(CountedEvidence(nil) == .none && CountedEvidence(ConsentEvidence()) == .none)
        #expect(CountedEvidence(ConsentEvidence(method: "")) == .other)
        #expect(CountedEvidence(ConsentEvidence(source: "shop")) == .other)
        #expect(CountedEvidence(ConsentEvidence(method: "form")) == .methodOnly)
        #expect(CountedEvidence(ConsentEvidence(notice: .init(sha256: "ab"))) == .noticeOnly)
        #expect(CountedEvidence(ConsentEvidence(method: "form", notice: .init(id: "privacy"))) == .methodAndNotice)
    }
}
