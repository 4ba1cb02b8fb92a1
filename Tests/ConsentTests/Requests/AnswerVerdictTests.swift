import Consent
import Identifiers
import TestSupport
import Testing

/// The effect of an answer on the pages of a consent request.
@Suite struct AnswerVerdictTests {
    private func request(_ asked: AskedPurpose, needsConfirmation: Bool = false) throws -> ConsentRequest {
        ConsentRequest(
            id: try #require(ConsentRequestID(rawValue: 1)), organization: try OrganizationID("acme"),
            recipient: try RecipientID("ana@example.com"), notice: nil, needsConfirmation: needsConfirmation,
            madeAt: .noon, expiresAt: .noon + 1000, purposes: [asked])
    }

    @Test("a yes is confirmed until the request expires, and not from then on")
    func expiredConfirmation() throws {
        let request = try request(AskedPurpose(purpose: .tracking, lastAnswer: .given), needsConfirmation: true)
        func confirmed(at now: Timestamp) -> AnswerVerdict {
            request.verdict(on: .given, to: .tracking, on: .confirmation, at: now)
        }
        #expect(confirmed(at: .noon + 999) == .records(.given))
        #expect(confirmed(at: .noon + 1000) == .changesNothing(.expired))
        #expect(confirmed(at: .noon + 1001) == .changesNothing(.expired))
    }

    @Test("after fifty records a yes is not recorded any more, and a no is", arguments: [49, 50, 51])
    func tooOften(_ count: Int) throws {
        func verdict(on answer: ConsentAnswer, after last: ConsentAnswer) throws -> AnswerVerdict {
            let record = try #require(ConsentRecordID(rawValue: 1))
            let asked = AskedPurpose(
                purpose: .tracking, lastAnswer: last, recorded: last, record: record, recordCount: count)
            return try request(asked).verdict(on: answer, to: .tracking, on: .question, at: .noon)
        }
        let yes: AnswerVerdict = count < 50 ? .records(.given) : .changesNothing(.tooOften)
        #expect(try verdict(on: .given, after: .refused) == yes)
        #expect(try verdict(on: .refused, after: .given) == .records(.refused))
    }
}
