import Identifiers
import Ledger
import StoragePorts
import Testing

@testable import UseCases

@Suite struct SigningRecordTests {
    private struct StoreOutage: StoreFailure {
        let isTransient: Bool
        let description = "out"
    }

    private let acme: OrganizationID
    private let globex: OrganizationID
    private let start = ContinuousClock.now
    private let noRoom = CheckpointArchiveFailure(isTransient: true, description: "the disk is full")
    private let broken = CheckpointArchiveFailure(isTransient: false, description: "it is no folder")

    init() throws {
        acme = try OrganizationID("acme")
        globex = try OrganizationID("globex")
    }

    @Test("what is left is signed with what grows next, and waits since it grew")
    func left() {
        var record = SigningRecord()
        #expect(record.recordGrowth(of: [acme], at: start) == [acme])
        #expect(record.unsigned.isEmpty)
        record.recordUnsigned(acme, because: noRoom)
        #expect(record.unsigned == [acme])
        #expect(record.recordGrowth(of: [globex], at: start + .seconds(3)) == [acme, globex])
        #expect(record.lag.longest(at: start + .seconds(5)) == .seconds(5))
        record.recordCovered(acme, isNew: true)
        #expect(record.lag.longest(at: start + .seconds(5)) == .seconds(2))
        #expect(record.signedCount == 1)
    }

    @Test("what only an operator can mend is not tried again")
    func hopeless() {
        var record = SigningRecord()
        let hopeless: [any Error] = [
            LedgerInconsistency(acme, .checkpoint), RequestRefusal.notFound, broken, StoreOutage(isTransient: false),
        ]
        for error in hopeless { record.recordUnsigned(acme, because: error) }
        #expect(record.unsigned.isEmpty)
        for error in [noRoom, StoreOutage(isTransient: true), CancellationError()] as [any Error] {
            var record = SigningRecord()
            record.recordUnsigned(acme, because: error)
            #expect(record.unsigned == [acme])
        }
    }

    @Test("an operator is told once of a shortage, and again when it comes back")
    func shortage() {
        var record = SigningRecord()
        #expect(record.recordFailure(noRoom) == .cannotWrite(noRoom))
        #expect(record.recordFailure(noRoom) == nil)
        #expect(record.shortage == noRoom)
        record.recordCovered(acme, isNew: false)
        #expect(record.shortage == noRoom, "nothing was written")
        record.recordCovered(acme, isNew: true)
        #expect(record.shortage == nil)
        #expect(record.recordFailure(noRoom) == .cannotWrite(noRoom))
        #expect(record.failedCount == 3)
        #expect(record.failure == nil)
    }

    @Test("a shortage lasts until a round leaves no ledger unsigned")
    func shortageOfRound() {
        var record = SigningRecord()
        _ = record.recordGrowth(of: [acme, globex], at: start)
        _ = record.recordFailure(noRoom)
        record.recordUnsigned(acme, because: noRoom)
        record.recordCovered(globex, isNew: false)
        let wasFinished = record.finishRound()
        #expect(!wasFinished && record.shortage == noRoom)
        _ = record.recordGrowth(of: [], at: start)
        record.recordCovered(acme, isNew: false)
        let isFinished = record.finishRound()
        #expect(isFinished && record.shortage == nil)
    }

    @Test("what is broken is broken until a restart, and told once")
    func failure() {
        var record = SigningRecord()
        #expect(record.recordFailure(broken) == .hasStopped(broken))
        #expect(record.recordFailure(broken) == nil)
        record.recordCovered(acme, isNew: true)
        #expect(record.failure == broken)
    }

    @Test("every failure is counted, and only the archive's are told")
    func counted() {
        var record = SigningRecord()
        #expect(record.recordFailure(LedgerInconsistency(acme, .checkpoint)) == nil)
        #expect(record.failedCount == 1)
        #expect(record.signedCount == 0)
    }
}
