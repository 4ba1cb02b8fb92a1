import Consent
import Identifiers
import Interactions
import Synchronization
import TestSupport
import Testing

@testable import Redirect

/// Clicks that were set aside, by this process or an earlier one.
@Suite struct DrainParkedTests {
    private typealias Bench = DrainTests.Bench

    /// A spool in which an earlier process has set `clicks` aside.
    private func spool(holding clicks: Occurrence...) async throws -> FakeSpool {
        let spool = FakeSpool()
        let closed = try Bench(spool: spool)
        closed.rules.rules(of: try .acme()).close()
        try await closed.spool(clicks)
        try await closed.drain.finish(within: .seconds(60))
        #expect(await eventually { spool.held.isEmpty })
        #expect(spool.parked.count == clicks.count)
        return spool
    }

    @Test("clicks that cannot be set aside stay in the spool")
    func parkingFails() async throws {
        let bench = try Bench()
        bench.rules.rules(of: try .acme()).close()
        try await bench.spool(.click(by: 1))
        bench.spool.failParkings(1)
        await #expect(throws: Outage.self) { try await bench.drain.finish(within: .seconds(60)) }
        // The writer does what it was told before: a removal, if there is one.
        try await bench.writer.eraseResiduals()
        #expect(bench.spool.held.count == 1 && bench.spool.parked.isEmpty)
        try await bench.drain.finish(within: .seconds(60))
        #expect(await eventually { bench.spool.held.isEmpty })
        #expect(bench.spool.parked.count == 1)
    }

    @Test("a single click that is settled is no longer set aside")
    func single() async throws {
        let spool = try await spool(holding: .click(by: 1))
        let mended = try Bench(spool: spool)
        mended.writer.counters.begin(with: 0, parked: 1)
        try await mended.running {
            #expect(await eventually { mended.writer.counters.held == 0 })
        }
        #expect(mended.stored == [1])
        #expect(spool.parked.isEmpty)
    }

    @Test("clicks that were set aside are judged by the gaps that the clock has then")
    func gaps() async throws {
        let spool = try await spool(holding: .click(by: 1, at: .noon + -1200), .click(by: 2, at: .noon + -1200))
        let gaps = Mutex<[ClockGap]>([])
        let mended = try Bench(
            spool: spool,
            times: OccurrenceTimes(
                check: { gaps.withLock { $0 = [ClockGap(from: .noon + -2000, through: .noon + -1000)] } },
                gaps: { gaps.withLock { $0 } }))
        mended.writer.counters.begin(with: 0, parked: 2)
        for (recipient, instant) in [(1, .noon + -1500), (2, .noon + -2000)] as [(UInt64, Timestamp)] {
            let given = ConsentInForce(
                record: try #require(ConsentRecordID(rawValue: recipient)), state: .given, occurredAt: instant,
                validUntil: nil)
            mended.consent.set(try .sample(recipient), .inForce(given))
        }
        try await mended.running {
            #expect(await eventually { mended.writer.counters.held == 0 })
        }
        #expect(mended.stored == [2], "the first's consent was given in the gap")
        #expect(spool.parked.isEmpty)
    }

    @Test("a click that stays set aside is kept as one whose time may be wrong, if it is in a gap that is known then")
    func gapOfNextProcess() async throws {
        let spool = try await spool(holding: .click(by: 1), .click(by: 2, at: .noon + -1))
        let gap = ClockGap(from: .noon, through: .noon)
        let next = try Bench(spool: spool, times: OccurrenceTimes(gaps: { [gap] }))
        next.rules.rules(of: try .acme()).close()
        try await next.running {
            #expect(await eventually { next.writer.counters.held == 2 })
        }
        #expect(spool.parked.map(\.certainty) == [.untimed, .judged])
    }

    @Test("clicks that were set aside are judged again after a failure, not only at the next start")
    func failure() async throws {
        let spool = try await spool(holding: .click(by: 1))
        let mended = try Bench(spool: spool)
        mended.writer.counters.begin(with: 0, parked: 1)
        mended.interactions.fail(.beforeStoring)
        try await mended.running {
            #expect(await eventually { mended.stored == [1] && spool.parked.isEmpty })
        }
        #expect(mended.faults.count == 1)
    }

    @Test("an erasure of residuals waits until clicks that were set aside are judged")
    func erasure() async throws {
        let spool = try await spool(holding: .click(by: 1))
        let impatient = try Bench(
            spool: spool, timeouts: Drain.Timeouts(catchUp: .seconds(60), erasure: .milliseconds(10)))
        // It does not drain.
        await #expect(throws: SpoolNotDrained.self) { try await impatient.drain.eraseResiduals() }
        #expect(!spool.events.contains(.eraseResiduals))

        let patient = try Bench(spool: spool)
        try await patient.running { try await patient.drain.eraseResiduals() }
        #expect(spool.events.last == .eraseResiduals)
        #expect(patient.stored == [1] && spool.parked.isEmpty)
    }
}
