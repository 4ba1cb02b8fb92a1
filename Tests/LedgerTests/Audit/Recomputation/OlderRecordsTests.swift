import Consent
import Identifiers
import TestSupport
import Testing

@testable import Ledger

/// An organization that is older than its ledger: what was recorded before the first entry has no entry.
@Suite("Decisions that rest on records older than the ledger")
struct OlderRecordsTests {
    /// The first entry of the ledger.
    private static let beginning = Timestamp.noon
    private static let hour: Int64 = 3_600_000

    private let recipient: RecipientID
    private let message: MessageID

    init() throws {
        recipient = try RecipientID("ana@example.com")
        message = MessageID(try Self.number(at: .noon))
    }

    private static func number(at instant: Timestamp) throws -> TimeOrderedNumber {
        try #require(TimeOrderedNumber(rawValue: TimeOrderedNumber.lowerBound(at: instant) + 1))
    }

    private func consent(at instant: Timestamp) throws -> ConsentRecordID {
        ConsentRecordID(try Self.number(at: instant))
    }

    private func judge(
        _ reason: DecisionReason, on record: ConsentRecordID?, under enforcement: Enforcement = .restrictive,
        at index: UInt64 = 1, by replay: inout DecisionReplay
    ) throws {
        let decision = ParsedDecision(
            id: DecisionID(try Self.number(at: .noon + 9 * Self.hour)), instant: .noon + 9 * Self.hour, activity: nil,
            reason: reason, enforcement: enforcement, commit: Commitment(InlineArray(repeating: 1)))
        let written = PrivateFields.decision(
            recipient: recipient, message: message, purpose: .tracking, consent: record)
        let fields: DecisionFields = try #require(DecisionFields(written[...]))
        replay.judge(decision, fields, at: index)
    }

    private func record(_ state: ConsentState, occurredAt: Timestamp, by replay: inout DecisionReplay) throws {
        let record = ConsentRecord(
            id: try consent(at: .noon + Self.hour), purpose: .tracking, state: state, occurredAt: occurredAt,
            recordedAt: .noon + Self.hour, validUntil: nil, evidence: nil)
        replay.record(record.id, try #require(ConsentFields(PrivateFields.consent(record, about: recipient)[...])))
    }

    @Test("they are counted, whatever the record said, and are no exceptions")
    func counted() throws {
        for (reason, enforcement) in [
            (.consentGiven, .restrictive), (.consentWithdrawn, .nonRestrictive), (.consentExpired, .restrictive),
            (.notOptedOut, .nonRestrictive),
        ] as [(DecisionReason, Enforcement)] {
            var replay = DecisionReplay()
            replay.begin(at: Self.beginning)
            replay.change(to: enforcement)
            try judge(reason, on: try consent(at: .noon + -1), under: enforcement, by: &replay)
            #expect(replay.result.olderRecords == 1)
            #expect(replay.result.exceptionCount == 0)
            #expect(replay.result.recomputed == 0)
        }
    }

    @Test("a record from the time of the ledger, a reason without a record and another enforcement stay exceptions")
    func others() throws {
        let old = try consent(at: .noon + -1)
        for (reason, record, enforcement) in [
            (.consentGiven, try consent(at: .noon), .restrictive), (.consentGiven, nil, .restrictive),
            (.noConsentRecord, old, .restrictive), (.recipientErased, old, .restrictive),
            (.consentExpired, old, .nonRestrictive), (.consentGiven, old, .nonRestrictive),
        ] as [(DecisionReason, ConsentRecordID?, Enforcement)] {
            var replay = DecisionReplay()
            replay.begin(at: Self.beginning)
            replay.change(to: .restrictive)
            try judge(reason, on: record, under: enforcement, by: &replay)
            #expect(replay.result.exceptionCount == 1, "\(reason)")
            #expect(replay.result.olderRecords == 0)
        }
        var unknown = DecisionReplay()
        unknown.change(to: .restrictive)
        try judge(.consentGiven, on: old, by: &unknown)
        #expect(unknown.result.exceptionCount == 1, "without the time of the first entry nothing is older")
    }

    @Test("a record that was entered and happened later outranks an older one, one that happened before it need not")
    func outranked() throws {
        let old = try consent(at: .noon + -Self.hour)
        for (occurredAt, exceptions) in [(Timestamp.noon, 1), (.noon + -2 * Self.hour, 0)] as [(Timestamp, UInt64)] {
            var replay = DecisionReplay()
            replay.begin(at: Self.beginning)
            replay.change(to: .restrictive)
            try record(.withdrawn, occurredAt: occurredAt, by: &replay)
            try judge(.consentGiven, on: old, by: &replay)
            #expect(replay.result.exceptionCount == exceptions)
            #expect(replay.result.olderRecords == 1 - exceptions)
        }
    }

    @Test("somebody may have been erased before a ledger that is younger than its organization, and before no other")
    func erased() throws {
        var replay = DecisionReplay()
        replay.begin(at: Self.beginning)
        replay.change(to: .restrictive)
        try judge(.recipientErased, on: nil, at: 1, by: &replay)
        try judge(.consentGiven, on: nil, at: 2, by: &replay)
        try judge(.recipientErased, on: nil, at: 3, by: &replay)
        #expect(replay.result.exceptions.map(\.index) == [1, 2, 3])
        #expect(replay.result.exceptionCount == 3)
        try judge(.consentGiven, on: try consent(at: .noon + -1), at: 4, by: &replay)
        #expect(replay.result.exceptions.map(\.index) == [2])
        #expect(replay.result.exceptionCount == 1)
        #expect(replay.result.aboutErased == 2)
    }
}
