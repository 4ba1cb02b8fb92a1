import Consent
import Identifiers
import TestSupport
import Testing

@Suite struct NewConsentRecordTests {
    private func record(
        _ state: ConsentState = .given, occurredAt: Timestamp?, validUntil: Timestamp? = nil
    ) throws -> NewConsentRecord {
        try NewConsentRecord(
            recipient: RecipientID("ana@example.com"), purpose: .tracking, state: state, occurredAt: occurredAt,
            validUntil: validUntil, evidence: nil, now: .noon)
    }

    @Test(
        "what lies in the past counts from when it occurred, what a fast clock said from now",
        arguments: [
            (nil, 0), (Int64(-86_400_000), Int64(-86_400_000)), (-1, -1), (0, 0), (1, 0), (299_999, 0), (300_000, 0),
        ]
    )
    func occurredAt(_ claimed: Int64?, _ stored: Int64) throws {
        #expect(try record(occurredAt: claimed.map { .noon + $0 }).occurredAt(recordedAt: .noon) == .noon + stored)
    }

    @Test(
        "more than five minutes ahead is refused", arguments: [Int64(300_001), 86_400_000, .max], ConsentState.allCases)
    func future(_ ahead: Int64, _ state: ConsentState) {
        #expect(throws: ConsentRecordError.inTheFuture) { try record(state, occurredAt: .noon + ahead) }
    }

    @Test("a clock at the end of time does not overflow")
    func endOfTime() throws {
        let record = try NewConsentRecord(
            recipient: RecipientID("ana"), purpose: .tracking, state: .given, occurredAt: .distantFuture,
            validUntil: nil, evidence: nil, now: .distantFuture)
        #expect(record.occurredAt(recordedAt: .distantFuture) == .distantFuture)
    }

    @Test("a grant of a fast clock does not outlast the withdrawal that follows it")
    func fastClock() throws {
        let grant = try record(occurredAt: .noon + 240_000)
        let withdrawal = try NewConsentRecord(
            recipient: RecipientID("ana@example.com"), purpose: .tracking, state: .withdrawn, occurredAt: nil,
            validUntil: nil, evidence: nil, now: .noon + 60_000)
        #expect(grant.occurredAt(recordedAt: .noon) < withdrawal.occurredAt(recordedAt: .noon + 60_000))
    }

    @Test("a grant ends after it begins, by a millisecond at least", arguments: [Int64(0), -1, -86_400_000])
    func endsBeforeItBegins(_ end: Int64) throws {
        #expect(throws: ConsentRecordError.endsBeforeItBegins) {
            try record(occurredAt: .noon + -10, validUntil: .noon + -10 + end)
        }
        #expect(throws: ConsentRecordError.endsBeforeItBegins) { try record(occurredAt: nil, validUntil: .noon + end) }
        #expect(try record(occurredAt: nil, validUntil: .noon + 1).validUntil == .noon + 1)
    }

    @Test("a grant that has ended already can be recorded: it proves what was permitted then")
    func history() throws {
        let past = try record(occurredAt: .noon + -1000, validUntil: .noon + -500)
        #expect(past.validUntil == .noon + -500)
    }

    @Test("the end is held against what was claimed, not against what is stored")
    func endOfFastClock() {
        #expect(throws: ConsentRecordError.endsBeforeItBegins) {
            try record(occurredAt: .noon + 1000, validUntil: .noon + 1000)
        }
    }

    @Test("only what was given has an end", arguments: ConsentState.allCases.filter(\.endsTracking))
    func validUntilWithoutGrant(_ state: ConsentState) throws {
        #expect(throws: ConsentRecordError.validUntilWithoutGrant) {
            try record(state, occurredAt: nil, validUntil: .noon + 1000)
        }
        #expect(try record(state, occurredAt: nil).validUntil == nil)
    }

    /// The clock was an hour ahead until a while ago, from two hours before noon on.
    private func during(_ state: ConsentState, claimed: Int64?) throws -> NewConsentRecord {
        try NewConsentRecord(
            recipient: RecipientID("ana@example.com"), purpose: .tracking, state: state,
            occurredAt: claimed.map { .noon + $0 }, validUntil: nil, evidence: nil,
            instant: RecordingTime(
                now: .noon,
                faults: ClockFaults([
                    ClockFault(lead: .seconds(3600), since: .noon + -7_200_000, until: .noon),
                    ClockFault(lead: .seconds(60), since: .noon + -36_000_000, until: .noon + -35_000_000),
                ])))
    }

    @Test(
        "a no of the time in which the clock was wrong counts by the service's clock, and not after now",
        arguments: [
            (Int64(-3_600_000), Int64(0)), (-3_600_001, -1), (-7_200_000, -3_600_000), (-1, 0), (0, 0),
            (-7_200_001, -7_200_001), (-86_400_000, -86_400_000), (-35_000_000, -34_940_000),
            (-34_999_999, -34_999_999),
        ])
    func faultyClock(_ claimed: Int64, _ counted: Int64) throws {
        for state in ConsentState.allCases where state.endsTracking {
            #expect(try during(state, claimed: claimed).occurredAt(recordedAt: .noon) == .noon + counted)
        }
        #expect(try during(.given, claimed: claimed).occurredAt(recordedAt: .noon) == .noon + claimed)
    }

    @Test("a record without a time of its own counts from when it is stored, not from when it was read")
    func storedLater() throws {
        #expect(try during(.withdrawn, claimed: nil).occurredAt(recordedAt: .noon + 700) == .noon + 700)
        #expect(try record(.withdrawn, occurredAt: nil).occurredAt(recordedAt: .noon + 700) == .noon + 700)
        #expect(try record(.given, occurredAt: .noon + 300).occurredAt(recordedAt: .noon + 200) == .noon + 200)
    }

    @Test("an error says what is allowed and nothing of whom it was about")
    func descriptions() {
        for error in [ConsentRecordError.inTheFuture, .validUntilWithoutGrant, .endsBeforeItBegins] {
            #expect(!error.description.isEmpty)
            #expect(!error.description.contains("ana"))
        }
    }
}
