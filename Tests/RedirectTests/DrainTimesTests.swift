import Consent
import Identifiers
import Interactions
import Messages
import Synchronization
import TestSupport
import Testing

@testable import Redirect

/// Clicks whose time the drain does not know for certain, or that have one that cannot be.
@Suite struct DrainTimesTests {
    private typealias Bench = DrainTests.Bench

    @Test(
        "a click whose time may be wrong must be permitted from its time until now",
        arguments: [(.judged, true), (.unjudged, true), (.untimed, false)]
            as [(SpooledOccurrence.Certainty, Bool)])
    func untimed(_ certainty: SpooledOccurrence.Certainty, _ isKept: Bool) async throws {
        let bench = try Bench()
        bench.spool.certainty = certainty
        bench.spool.makeIDs(at: .noon + -9000)
        let ended = ConsentInForce(
            record: try #require(ConsentRecordID(rawValue: 2)), state: .given, occurredAt: .noon + -9000,
            validUntil: .noon + -1000)
        bench.consent.set(try .sample(2), .inForce(ended))
        let given = ConsentInForce(
            record: ended.record, state: .given, occurredAt: ended.occurredAt, validUntil: nil)
        bench.consent.set(try .sample(1), .inForce(given))
        try await bench.spool(.click(by: 1, at: .noon + -5000), .click(by: 2, at: .noon + -5000))
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.stored == (isKept ? [1, 2] : [1]))
        #expect(bench.consent.questions.filter { $0.instant == .noon }.count == (isKept ? 0 : 2))
        #expect(bench.consent.questions.count == 2, "one for each")
        #expect(await eventually { bench.spool.held.isEmpty })
    }

    @Test(
        "a click by a clock that was ahead came at the time of its id or later, and is stored with no time after now",
        arguments: [(-3000, [2], 9000, 0), (-3000, [2], -1000, -1000), (-6000, [1, 2], -1000, -1000)]
            as [(Int64, Set<UInt64>, Int64, Int64)])
    func clockAhead(_ given: Int64, _ kept: Set<UInt64>, _ time: Int64, _ stored: Int64) async throws {
        let bench = try Bench()
        bench.spool.certainty = .untimed
        bench.spool.makeIDs(at: .noon + -5000)
        for (number, instant) in [(1, .noon + given), (2, .distantPast)] as [(UInt64, Timestamp)] {
            let consent = ConsentInForce(
                record: try #require(ConsentRecordID(rawValue: number)), state: .given, occurredAt: instant,
                validUntil: nil)
            bench.consent.set(try .sample(number), .inForce(consent))
        }
        try await bench.spool(.click(by: 1, at: .noon + time), .click(by: 2, at: .noon + time))
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.stored == kept)
        #expect(Set(bench.interactions.stored.values.map(\.occurredAt)) == [.noon + stored])
    }

    @Test(
        "a click with a time after now came at the time of its id or later, however much its node knew",
        arguments: SpooledOccurrence.Certainty.allCases, [true, false])
    func timeAfterNow(_ certainty: SpooledOccurrence.Certainty, _ isFirstAnswer: Bool) async throws {
        // The first answer of the server puts all earlier times in doubt, and none after it.
        let gaps = isFirstAnswer ? [ClockGap(from: .distantPast, through: .noon + -1)] : []
        let bench = try Bench(times: OccurrenceTimes(gaps: { gaps }))
        bench.spool.certainty = certainty
        bench.spool.makeIDs(at: .noon + -5000)
        for (number, instant) in [(1, .noon + -4999), (2, .noon + -5000)] as [(UInt64, Timestamp)] {
            let consent = ConsentInForce(
                record: try #require(ConsentRecordID(rawValue: number)), state: .given, occurredAt: instant,
                validUntil: .noon + 1)
            bench.consent.set(try .sample(number), .inForce(consent))
        }
        try await bench.spool(.click(by: 1, at: .noon + 9000), .click(by: 2, at: .noon + 9000))
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.stored == [2], "consent of the first may have been given after the click")
        #expect(bench.consent.questions.map(\.instant) == [.noon, .noon])
        #expect(bench.interactions.stored.values.map(\.occurredAt) == [.noon])
    }

    @Test("what a device reported by a clock that was ahead keeps all but its time")
    func reportAhead() async throws {
        let bench = try Bench()
        bench.spool.certainty = .unjudged
        bench.spool.makeIDs(at: .noon + -9000)
        let record = try #require(ConsentRecordID(rawValue: 1))
        let given = ConsentInForce(record: record, state: .given, occurredAt: .noon + -9000, validUntil: nil)
        bench.consent.set(try .sample(1), .inForce(given))
        let reports = try [9000, 0].map { milliseconds in
            Occurrence(
                kind: .pushNotificationClicked, source: .bird, occurredAt: .noon + milliseconds, message: try .sample(),
                recipient: try .sample(1), link: .message, visitor: .deviceReport, action: ActionIdentifier("buy"))
        }
        try await bench.spool(reports[0])
        try await bench.drain.finish(within: .seconds(60))
        #expect(Array(bench.interactions.stored.values) == [reports[1]])
    }

    @Test("an opening of a span in which its recipient said yes to opens is dropped: before may have been a no")
    func opensOfASpan() async throws {
        let bench = try Bench()
        bench.spool.certainty = .untimed
        bench.spool.makeIDs(at: .noon + -9000)
        for (recipient, instant) in [(1, .noon + -7000), (2, .noon + -9000)] as [(UInt64, Timestamp)] {
            let record = try #require(ConsentRecordID(rawValue: recipient))
            let toTracking = ConsentInForce(
                record: record, state: .given, occurredAt: .noon + -9000, validUntil: nil)
            let toOpens = ConsentInForce(record: record, state: .given, occurredAt: instant, validUntil: nil)
            bench.consent.set(try .sample(recipient), .inForce(toTracking))
            bench.consent.set(try .sample(recipient), .inForce(toOpens), for: .openTracking)
        }
        let openings = try [1, 2].map { recipient in
            Occurrence(
                kind: .messageOpened, source: .redirect, occurredAt: .noon + -5000, message: try .sample(),
                recipient: try .sample(recipient), link: .message, visitor: .browserAgent)
        }
        try await bench.spool(openings)
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.stored == [2])
    }

    @Test(
        "a click with a time after now that is judged again came at the time of its id or later, still",
        arguments: SpooledOccurrence.Certainty.allCases)
    func timeAfterNowAgain(_ certainty: SpooledOccurrence.Certainty) async throws {
        let bench = try Bench()
        bench.spool.certainty = certainty
        bench.spool.makeIDs(at: .noon + -5000)
        func given(at instant: Timestamp, _ number: UInt64) throws -> ConsentStatus {
            let record = try #require(ConsentRecordID(rawValue: number))
            return .inForce(ConsentInForce(record: record, state: .given, occurredAt: instant, validUntil: nil))
        }
        let (before, anew) = (try given(at: .noon + -5001, 1), try given(at: .noon + -1, 2))
        let reference = try RecipientReference.sample(1)
        bench.consent.set(reference, before)
        bench.interactions.change(reference)
        let isAsked = Note(false)
        bench.consent.onStatuses.withLock { onStatuses in
            onStatuses = { [consent = bench.consent] in
                if isAsked.value { consent.set(reference, anew) }
                isAsked.value = true
            }
        }
        try await bench.spool(.click(by: 1, at: .noon + 9000))
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.stored.isEmpty, "the consent may have been given after the click")
        #expect(bench.consent.questions.map(\.instant) == [.noon, .noon])
    }

    @Test("a click whose time is not known came after the last one that was, and before now")
    func gaps() async throws {
        let gaps = Mutex<[ClockGap]>([])
        let times = OccurrenceTimes(
            uncertainty: .milliseconds(250),
            check: {
                // The storage's answer shows that the clock stood still; it was asked after the clicks.
                let gap = ClockGap(from: .noon + -2000, through: .noon + -1000)
                gaps.withLock { $0 = [gap] }
            }, gaps: { gaps.withLock { $0 } })
        let bench = try Bench(times: times)
        for number in [2, 3, 5] as [UInt64] {
            let given = ConsentInForce(
                record: try #require(ConsentRecordID(rawValue: number)), state: .given,
                occurredAt: .noon + (number == 5 ? -1500 : -2000), validUntil: nil)
            bench.consent.set(try .sample(number), .inForce(given))
        }
        try await bench.spool(
            .click(by: 1, at: .noon + -2001), .click(by: 2, at: .noon + -2000), .click(by: 3, at: .noon + -1000),
            .click(by: 4, at: .noon + -999), .click(by: 5, at: .noon + -1200))
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.stored == [1, 2, 3, 4], "consent of the fifth was given in the gap")
        let instants: [Timestamp] = ([-2001, 250, 250, -999, 250] as [Int64]).map { .noon + $0 }
        #expect(bench.consent.questions.map(\.instant) == instants)
    }

    @Test("a click of a node that did not know every withdrawal came at its time, or 250 ms later at most")
    func uncertain() async throws {
        let bench = try Bench(times: OccurrenceTimes(uncertainty: .milliseconds(250)))
        bench.spool.certainty = .unjudged
        try await bench.spool(.click(by: 1, at: .noon + -1), .click(by: 2, at: .noon))
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.consent.questions.map(\.instant) == [.noon + 249, .noon + 250])
        #expect(bench.stored == [2], "consent of the first was given a millisecond after the click")
    }

    @Test("the time of an unjudged click that a former node left is not known, that of a judged one is")
    func formerNode() async throws {
        for certainty in [SpooledOccurrence.Certainty.judged, .unjudged] {
            let bench = try Bench(times: OccurrenceTimes(isOfNode: false))
            bench.spool.certainty = certainty
            try await bench.spool(.click(by: 1, at: .noon + -5000))
            try await bench.drain.finish(within: .seconds(60))
            #expect(bench.consent.questions.map(\.instant) == [.noon + (certainty == .judged ? -5000 : 0)])
        }
    }

    @Test("a click of before a time that nothing is known of came at its time, or later")
    func withoutNote() async throws {
        let gap = ClockGap(from: .distantPast, through: .noon + -1000)
        let bench = try Bench(times: OccurrenceTimes(gaps: { [gap] }))
        let given = ConsentInForce(
            record: try #require(ConsentRecordID(rawValue: 1)), state: .given, occurredAt: .noon + -6000,
            validUntil: nil)
        bench.consent.set(try .sample(1), .inForce(given))
        try await bench.spool(.click(by: 1, at: .noon + -5000), .click(by: 2, at: .noon + -5000))
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.stored == [1], "the second's consent was given later")
        #expect(bench.consent.questions.map(\.instant) == [.noon, .noon])
    }

    @Test("a click in a gap or with a time after now that cannot be judged is set aside as one whose time may be wrong")
    func gapOfParked() async throws {
        let gap = ClockGap(from: .noon, through: .noon)
        let bench = try Bench(times: OccurrenceTimes(gaps: { [gap] }))
        bench.rules.rules(of: try .acme()).close()
        try await bench.spool(.click(by: 1), .click(by: 2, at: .noon + -1), .click(by: 3, at: .noon + 1))
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.spool.parked.map(\.certainty) == [.untimed, .judged, .untimed])
    }

    @Test("a click whose storage does not tell the time stays in the spool")
    func noTime() async throws {
        let bench = try Bench(times: OccurrenceTimes(check: { throw Outage() }))
        try await bench.spool(.click(by: 1))
        await #expect(throws: Outage.self) { try await bench.drain.finish(within: .seconds(60)) }
        #expect(bench.stored.isEmpty && bench.spool.held.count == 1)
    }
}
