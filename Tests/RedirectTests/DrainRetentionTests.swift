import Consent
import Identifiers
import Interactions
import Messages
import Organizations
import TestSupport
import Testing

@testable import Redirect

/// Clicks that were in the spool for longer than their organization keeps interactions.
@Suite struct DrainRetentionTests {
    private typealias Bench = DrainTests.Bench

    private static let retention = Retention(interactionsDays: 30, decisionsDays: nil)

    private func noon(before days: Int) -> Timestamp { .noon.advanced(byDays: -days) }

    private func drained(_ bench: Bench, spooledAt instant: Timestamp) async throws {
        bench.spool.makeIDs(at: instant)
        try await bench.spool(.click(by: 1, at: instant), .click(by: 77, at: instant))
        try await bench.drain.finish(within: .seconds(60))
        #expect(await eventually { bench.spool.held.isEmpty })
    }

    @Test(
        "a click that is older than what is kept is dropped and counted, unless consent did not permit it anyway",
        arguments: [(31, false), (30, true), (0, true)])
    func old(_ days: Int, _ isKept: Bool) async throws {
        let bench = try Bench(retention: Self.retention, trustedTime: .noon)
        try await drained(bench, spooledAt: noon(before: days))
        #expect(bench.stored == (isKept ? [1] : []))
        let counters = bench.writer.counters
        #expect(counters.storedCount == (isKept ? 1 : 0))
        #expect(counters.pastRetentionCount == (isKept ? 0 : 1))
        #expect(counters.droppedCount == 1)
        #expect(bench.faults.count == 0)
    }

    @Test(
        "a click of a node that did not know the time is too old only if its own time is, too",
        arguments: [(31, false), (30, true), (0, true)])
    func untimed(_ days: Int, _ isKept: Bool) async throws {
        let bench = try Bench(retention: Self.retention, trustedTime: .noon)
        bench.spool.certainty = .untimed
        // The last time in the mirror of a machine that was off since then.
        bench.spool.makeIDs(at: noon(before: 40))
        let consent = ConsentInForce(
            record: try #require(ConsentRecordID(rawValue: 1)), state: .given, occurredAt: noon(before: 41),
            validUntil: nil)
        bench.consent.set(try .sample(1), .inForce(consent))
        try await bench.spool(.click(by: 1, at: noon(before: days)))
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.stored == (isKept ? [1] : []))
        #expect(bench.writer.counters.pastRetentionCount == (isKept ? 0 : 1))
        #expect(bench.writer.counters.droppedCount == 0)
    }

    @Test("nothing is too old where interactions are kept for ever, nor while the clock is not trusted")
    func kept() async throws {
        let forever = try Bench(retention: .forever, trustedTime: .noon)
        try await drained(forever, spooledAt: noon(before: 4000))
        #expect(forever.stored == [1])
        let untrusted = try Bench(retention: Self.retention)
        try await drained(untrusted, spooledAt: noon(before: 4000))
        #expect(untrusted.stored == [1])
    }

    @Test("clicks of less than a day ask no organization for its retention")
    func young() async throws {
        // Without a retention, asking fails.
        let bench = try Bench(trustedTime: .noon)
        try await drained(bench, spooledAt: noon(before: 1))
        #expect(bench.stored == [1])
        #expect(bench.faults.count == 0)
    }

    @Test("a report of a device that is too old is told, so that nothing is taken for a repeat of it")
    func report() async throws {
        let bench = try Bench(retention: Self.retention, trustedTime: .noon)
        bench.spool.makeIDs(at: noon(before: 31))
        let report = Occurrence(
            kind: .pushNotificationClicked, source: .dynamics365, occurredAt: noon(before: 31), message: try .sample(1),
            recipient: try .sample(1), link: .message, visitor: .deviceReport)
        try await bench.spool(report)
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.stored.isEmpty)
        #expect(bench.forgotten.value == [report])
    }

    @Test("what was set aside is too old in the same way")
    func parked() async throws {
        let spool = FakeSpool()
        let closed = try Bench(spool: spool)
        closed.rules.rules(of: try .acme()).close()
        spool.makeIDs(at: noon(before: 31))
        try await closed.spool(.click(by: 1, at: noon(before: 31)))
        try await closed.drain.finish(within: .seconds(60))
        #expect(spool.parked.count == 1)

        let mended = try Bench(spool: spool, retention: Self.retention, trustedTime: .noon)
        mended.writer.counters.begin(with: 0, parked: 1)
        try await mended.running {
            #expect(await eventually { spool.parked.isEmpty && mended.writer.counters.held == 0 })
        }
        #expect(mended.stored.isEmpty)
        #expect(mended.writer.counters.pastRetentionCount == 1)
    }
}
