import Consent
import Cryptography
import Foundation
import Identifiers
import Ledger
import Redirect
import SQLStorage
import SQLiteStorage
import StorageContracts
import TestSupport
import Testing

@testable import Service

/// A service on a clock that goes anywhere. CLOCK_WALK_STEPS says how far, which is not far unless it is set.
@Suite struct ClockWalkTests {
    private static let steps = ProcessInfo.processInfo.environment["CLOCK_WALK_STEPS"].flatMap(Int.init) ?? 1500

    /// What was acknowledged, in order.
    private struct Journal {
        var records: [RecipientID: [ConsentInForce]] = [:]
        var last: [RecipientID: ConsentState] = [:]
        var lastDecision = Timestamp.distantPast
        var lastID: (consent: ConsentRecordID?, decision: DecisionID?)
        var (recorded, decided, tracked, restarts) = (0, 0, 0, 0)

        mutating func note(_ record: ConsentRecord, about recipient: RecipientID) {
            #expect(lastID.consent.map { $0 < record.id } ?? true, "ids go on")
            lastID.consent = record.id
            #expect(record.recordedAt >= lastDecision, "times go on")
            records[recipient, default: []].append(record.inForce)
            last[recipient] = record.state
            recorded += 1
        }

        mutating func note(_ decision: RecordedDecision, about recipient: RecipientID, _ enforcement: Enforcement) {
            #expect(lastID.decision.map { $0 < decision.id } ?? true, "ids go on")
            lastID.decision = decision.id
            let time = decision.id.number.timestamp
            #expect(time >= lastDecision, "times go on")
            lastDecision = time
            let inForce = ConsentInForce.inForce(among: records[recipient, default: []], at: time)
            let verdict = ConsentPolicy(enforcement: enforcement)
                .decide(inForce.map(ConsentStatus.inForce) ?? .nothing, at: time)
            #expect(decision.reason == verdict.reason, "recomputed from what was recorded before")
            if decision.permit != .untracked {
                #expect(!(last[recipient]?.endsTracking ?? false), "tracked after a no")
                tracked += 1
            }
            decided += 1
        }
    }

    @Test("nobody who said no before is tracked, whatever the clock does", arguments: Enforcement.allCases)
    func walk(_ start: Enforcement) async throws {
        var generator = SeededGenerator(seed: start == .restrictive ? 1 : 2)
        let script = ScriptedClock()
        var (enforcement, journal) = (start, Journal())
        var fixture = try await JudgedFixture(start, source: script.source)
        defer { fixture.end() }
        for step in 0..<Self.steps {
            Self.move(script, &generator)
            if Bool.random(using: &generator) { _ = fixture.clock.observe() }
            // New people come, so that nobody's history grows without end.
            let recipient = try RecipientID(
                "\(step / 300 * 4 + Int.random(in: 0..<4, using: &generator))@people.example")
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<25:
                let state =
                    [ConsentState.given, .given, .withdrawn, .refused].randomElement(using: &generator) ?? .given
                let end = state == .given && Bool.random(using: &generator) ? Int64(3_600_000) : nil
                journal.note(try await fixture.record(state, for: recipient, validFor: end), about: recipient)
            case 25..<70:
                let decision = try await fixture.decide(recipient)
                journal.note(decision, about: recipient, enforcement)
                try await withdrawSometimes(decision, recipient, fixture, script, &journal, &generator)
            case 70 where Bool.random(using: &generator):
                enforcement = enforcement == .restrictive ? .nonRestrictive : .restrictive
                try await fixture.set(enforcement)
            case 71 where Int.random(in: 0..<10, using: &generator) == 0:
                fixture = try await fixture.reopened(source: script.source)
                journal.restarts += 1
            default: break
            }
        }
        #expect(journal.tracked > 0 && journal.tracked < journal.decided)
        let judged = try await Self.verifyExport(of: fixture)
        #expect(judged.counts.decisions == UInt64(journal.decided))
        #expect(judged.counts.consents == UInt64(journal.recorded))
        let recomputation = try #require(judged.recomputation)
        #expect(recomputation.exceptions == [])
        #expect(recomputation.recomputed == UInt64(journal.decided), "every decision is judged again")
        print(
            "clock walk, \(start): \(Self.steps) steps, \(journal.recorded) records,",
            "\(journal.decided) decisions (\(journal.tracked) tracked), \(journal.restarts) restarts;",
            "\(judged.counts.entries) entries verified, \(recomputation.recomputed) decisions judged again")
    }

    /// Verifies a whole export of the ledger as an auditor does who has nothing else.
    private static func verifyExport(of fixture: JudgedFixture) async throws -> AuditFindings {
        let (ledgers, organization) = (fixture.storage.stores.ledgers, fixture.organization)
        let ledger = try #require(try await ledgers.head(of: organization))
        let seed = SecretBytes([UInt8](repeating: 1, count: 32))
        let signer = try SignerKey(name: KeyName(ledger.origin), seed: seed)
        let size = ledger.head.size
        var writer = AuditExportWriter(
            signer.sign(ledger.head), filters: .none, consistency: nil, at: fixture.clock.now())
        var verifier = AuditVerifier(key: signer.verifier)
        try verifier.take(writer.begin())
        for place in AuditTiles.whole(inTreeOf: size) {
            let tile = try await ledgers.tile(place, width: place.width(inTreeOf: size), in: organization)
            try verifier.take(writer.add(try #require(tile)))
        }
        for first in stride(from: 0, to: size, by: 1000) {
            for item in try await ledgers.entries(from: first, count: 1000, in: organization) {
                try verifier.take(writer.add(item))
            }
        }
        try verifier.take(writer.finish())
        return try verifier.finish()
    }

    /// As the page for withdrawing does; and the next click is not recorded.
    private func withdrawSometimes(
        _ decision: RecordedDecision, _ recipient: RecipientID, _ fixture: JudgedFixture, _ script: ScriptedClock,
        _ journal: inout Journal, _ generator: inout SeededGenerator
    ) async throws {
        guard case .tracked(let reference) = decision.permit, Int.random(in: 0..<4, using: &generator) == 0 else {
            return
        }
        let made = try await fixture.storage.stores.consents.withdraw(
            reference, for: .tracking, evidence: ConsentEvidence(), in: fixture.organization, at: fixture.clock.now())
        guard case .recorded(let record) = made else {
            Issue.record("a withdrawal by somebody tracked was not recorded")
            return
        }
        journal.note(record, about: recipient)
        Self.move(script, &generator)
        let list = fixture.recordingRules.rules(of: fixture.organization).revocations(for: .tracking)
        #expect(list.contains(reference, at: fixture.clock.now()))
    }

    private static func move(_ script: ScriptedClock, _ generator: inout SeededGenerator) {
        let second = ScriptedClock.second
        let pauses: [Int64] = [0, 1000, second / 100, second, 60 * second]
        let reaches: [Int64] = [0, 0, second, 60 * second, 3600 * second, 86_400 * second]
        let elapsed = pauses.randomElement(using: &generator) ?? 0
        let reach = reaches.randomElement(using: &generator) ?? 0
        script.move(by: elapsed, step: reach == 0 ? 0 : Int64.random(in: -reach...reach, using: &generator))
    }
}
