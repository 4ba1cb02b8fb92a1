import Consent
import Identifiers
import Interactions
import Messages
import Synchronization
import TestSupport
import Testing

@testable import Redirect

/// Clicks that cannot be judged, those that are judged too early, and who waits for them.
@Suite struct DrainJudgementTests {
    private typealias Bench = DrainTests.Bench

    @Test("a click whose person's consent is recorded anew before it is stored is judged again")
    func outdated() async throws {
        let bench = try Bench()
        bench.interactions.change(try .sample(1), try .sample(2))
        let asked = Mutex(0)
        bench.consent.onStatuses.withLock { onStatuses in
            onStatuses = {
                let times = asked.withLock { asked in
                    asked += 1
                    return asked
                }
                if times == 2 { try? bench.know(.withdrawn, 1...1) }
            }
        }
        try await bench.spool(.click(by: 1), .click(by: 2), .click(by: 3))
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.stored == [2, 3])
        #expect(await eventually { bench.spool.held.isEmpty })
    }

    @Test("a click that cannot be judged again before it is stored is set aside")
    func outdatedAndUndecidable() async throws {
        let bench = try Bench()
        bench.interactions.change(try .sample(1))
        let rules = bench.rules.rules(of: try .acme())
        let isAsked = Note(false)
        bench.consent.onStatuses.withLock { onStatuses in
            onStatuses = {
                if isAsked.value { rules.close() }
                isAsked.value = true
            }
        }
        try await bench.spool(.click(by: 1), .click(by: 2))
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.stored == [2])
        #expect(try bench.spool.parked.map(\.occurrence.recipient) == [.sample(1)])
        #expect(bench.writer.counters.held == 1)
    }

    @Test("clicks are stored as of the newest consent record from before their consent was read")
    func recordedMeanwhile() async throws {
        let bench = try Bench()
        let before = try #require(ConsentRecordID(rawValue: 20))
        let after = try #require(ConsentRecordID(rawValue: 21))
        bench.consent.newest.value = before
        bench.consent.onStatuses.withLock { onStatuses in
            onStatuses = { [consent = bench.consent] in consent.newest.value = after }
        }
        try await bench.spool(.click(by: 1))
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.interactions.newestRecords == [before], "a later one is looked at when they are stored")
    }

    @Test("clicks of a closed ledger, and of a message that cannot be read, are set aside until they can be judged")
    func parked() async throws {
        let spool = FakeSpool()
        let closed = try Bench(spool: spool)
        closed.rules.rules(of: try .acme()).close()
        try await closed.spool(.click(by: 1), .click(by: 2))
        try await closed.drain.finish(within: .seconds(60))
        #expect(closed.stored.isEmpty && spool.parked.count == 2)
        #expect(closed.writer.counters.held == 2, "they would be lost with the spool")
        #expect(await eventually { spool.held.isEmpty })
        try await closed.running { try await Task.sleep(for: .milliseconds(20)) }
        #expect(spool.parked.count == 2, "a start with a closed ledger leaves them")

        let mended = try Bench(spool: spool)
        mended.writer.counters.begin(with: 0, parked: 2)
        #expect(mended.writer.counters.held == 2)
        try mended.know(.withdrawn, 2...2)
        try await mended.running {
            #expect(await eventually { spool.parked.isEmpty && mended.writer.counters.held == 0 })
        }
        #expect(mended.stored == [1])
    }

    @Test("damaged batches among those that are set aside are told, and leave them, also if the others stay")
    func damagedParked() async throws {
        let spool = FakeSpool()
        let closed = try Bench(spool: spool)
        closed.rules.rules(of: try .acme()).close()
        try await closed.spool(.click(by: 1), .click(by: 2))
        try await closed.drain.finish(within: .seconds(60))
        let position = SpoolPosition(rawValue: 1)
        spool.parkDamaged(at: position)
        spool.parkDamaged(at: position)
        spool.parkDamaged(at: SpoolPosition(rawValue: 2))
        try await closed.running { #expect(await eventually { spool.damagedParkedCount == 0 }) }
        #expect(spool.parked.count == 2)
        let told = closed.faults.all.map { if case .batchesUnreadable(let count) = $0 { count } else { 0 } }
        #expect(told == [2, 1])
    }

    @Test("clicks whose message the store does not have are dropped, and their number is told")
    func noMessage() async throws {
        let bench = try Bench()
        try await bench.spool(.click(by: 1), .click(by: 2, on: 98), .click(by: 3, on: 99), .click(by: 77))
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.stored == [1])
        let told = bench.faults.all.map { if case .clicksOfNoMessage(let count) = $0 { count } else { 0 } }
        #expect(told == [2], "consent of the last one was never given")
    }

    @Test("a ledger that is closed by the reading of its records drops nothing")
    func closedMeanwhile() async throws {
        let bench = try Bench()
        let rules = bench.rules.rules(of: try .acme())
        bench.consent.onStatuses.withLock { $0 = { rules.close() } }
        try await bench.spool(.click(by: 77))
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.stored.isEmpty && bench.spool.parked.count == 1)
    }

    @Test("an erasure does not wait for ever for a drain that cannot store, nor beyond its end")
    func erasureGivesUp() async throws {
        let impatient = try Bench(timeouts: Drain.Timeouts(catchUp: .seconds(60), erasure: .milliseconds(10)))
        impatient.interactions.fail(.beforeStoring, .beforeStoring, .beforeStoring)
        try await impatient.spool(.click(by: 1))
        await #expect(throws: SpoolNotDrained.self) { try await impatient.drain.eraseResiduals() }

        let patient = try Bench()
        try await patient.spool(.click(by: 1))
        let cancelled = Task { try await patient.drain.eraseResiduals() }
        cancelled.cancel()
        await #expect(throws: SpoolNotDrained.self) { try await cancelled.value }
        try await patient.running { #expect(await eventually { patient.stored == [1] }) }
        try await patient.spool(.click(by: 2))
        await #expect(throws: SpoolNotDrained.self) { try await patient.drain.eraseResiduals() }
    }
}
