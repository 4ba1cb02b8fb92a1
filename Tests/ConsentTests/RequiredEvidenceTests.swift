import Consent
import Identifiers
import TestSupport
import Testing

@Suite struct RequiredEvidenceTests {
    private func missing(_ evidence: ConsentEvidence?, _ state: ConsentState = .given) throws -> [RequiredEvidence] {
        try NewConsentRecord(
            recipient: RecipientID("ana@example.com"), purpose: .tracking, state: state, occurredAt: nil,
            validUntil: nil, evidence: evidence, now: .noon
        ).missingEvidence
    }

    @Test(
        "a yes needs how it was given and after which notice",
        arguments: [
            (nil, [.method, .notice]), (ConsentEvidence(), [.method, .notice]),
            (ConsentEvidence(method: "form"), [.notice]),
            (ConsentEvidence(method: "form", source: "https://shop.example", actor: "subject"), [.notice]),
            (ConsentEvidence(notice: .init(id: "privacy")), [.method]),
            (ConsentEvidence(method: "", notice: .init(id: "privacy")), [.method]),
            (ConsentEvidence(method: " ", notice: .init(id: "privacy")), [.method]),
            (ConsentEvidence(method: "\u{200B}\u{2060}", notice: .init(id: "privacy")), [.method]),
            (ConsentEvidence(method: "form", notice: .init(id: "\u{A0}", sha256: "\n")), [.notice]),
            (ConsentEvidence(method: "form", notice: .init(id: " ", sha256: "ab")), []),
            (ConsentEvidence(method: "form", notice: .init()), [.notice]),
            (ConsentEvidence(method: "form", notice: .init(id: "", version: "3", language: "en")), [.notice]),
            (ConsentEvidence(method: "form", notice: .init(id: "privacy")), []),
            (ConsentEvidence(method: "form", notice: .init(sha256: "ab")), []),
        ] as [(ConsentEvidence?, [RequiredEvidence])])
    func given(_ evidence: ConsentEvidence?, _ expected: [RequiredEvidence]) throws {
        #expect(try missing(evidence) == expected)
    }

    @Test("a no needs nothing", arguments: ConsentState.allCases.filter(\.endsTracking))
    func no(_ state: ConsentState) throws {
        #expect(try missing(nil, state) == [])
    }
}
