import Testing

@testable import HTTPAPI

/// What reports of consents and of decisions say, as bytes.
@Suite struct ConsentReportRoutesTests {
    private static let day = "from=2026-11-22T00:00:00Z&to=2026-11-23T00:00:00Z"

    private static let json = #"""
        {"from":"2026-11-22T00:00:00.000Z","to":"2026-11-23T00:00:00.000Z","purpose":null,"purposes":["tracking"],
        "days":[{"day":"2026-11-22","given":2,"refused":1,"withdrawn":1,"revoked":0,"invalidated":0,"expired":0,
        "erased":1,"stock":{"given":0,"refused":1,"withdrawn":1,"revoked":0,"invalidated":0,"expired":0}}],
        "ending":{"within30Days":0,"within60Days":0,"within90Days":0},
        "evidence":{"methodAndNotice":0,"methodOnly":0,"noticeOnly":0,"other":0,"none":2},
        "methods":[],"otherMethods":0,"notices":[],"otherNotices":0}
        """#.replacing("\n", with: "")

    @Test("a consent report has days, stock, what ends, and evidence")
    func consents() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            for (recipient, state) in [("ana", "given"), ("ana", "withdrawn"), ("bo", "refused"), ("cy", "given")] {
                try await listener.consent(recipient, state)
            }
            _ = try await listener.post("/v1/orgs/acme/recipients/erase", #"{"recipient":"cy"}"#)
            let report = try await listener.get("/v1/orgs/acme/consent-report?\(Self.day)")
            #expect(report.status == 200)
            #expect(report.body == Self.json)
            let none = try await listener.get("/v1/orgs/acme/consent-report?\(Self.day)&purpose=other")
            #expect(none["purposes"]?.text == "[]" && none["purpose"]?.text == "other")
            let table = try await listener.get("/v1/orgs/acme/consent-report?\(Self.day)", accept: "text/csv").body
            #expect(
                table.contains(
                    #""2026-11-22T00:00:00.000Z","2026-11-23T00:00:00.000Z",,"stock","2026-11-22","withdrawn","1","#))
        }
    }

    @Test("a summary of decisions is of a time, or of a message")
    func summary() async throws {
        try await PrivateListenerFixture.withActions(composing: ["ana", "bo", "cy"]) { listener, message, _ in
            let counts = #""decisions":3,"tracked":2,"untracked":1,"reasons":{"consentGiven":2,"noConsentRecord":1}"#
            let all = try await listener.get("/v1/orgs/acme/decisions/summary?\(Self.day)")
            #expect(all.body.hasSuffix(#"\#(counts),"days":[{"day":"2026-11-22",\#(counts)}]}"#))
            let one = try await listener.get("/v1/orgs/acme/decisions/summary?message=\(message)")
            #expect(one.body == #"{"message":"\#(message)","from":null,"to":null,\#(counts),"days":null}"#)
            for query in ["message=1", "message=\(message)&to=2026-11-23T00:00:00Z", "outcome=tracked"] {
                let answer = try await listener.get("/v1/orgs/acme/decisions/summary?\(query)")
                #expect([404, 422].contains(answer.status))
            }
        }
    }

    @Test("a sample names its seed and the leaves it was drawn from")
    func sample() async throws {
        try await PrivateListenerFixture.withActions(composing: ["ana", "bo", "cy"]) { listener, _, _ in
            let sample = try await listener.get("/v1/orgs/acme/decisions/sample?seed=a%3Ab&reason=noConsentRecord")
            #expect(sample["seed"]?.text == "a:b" && sample.body.contains(#""isComplete":true"#))
            #expect(sample["sample"]?.items.map { $0["decision"]?["recipient"]?.text } == ["cy"])
            for query in ["", "seed=", "seed=a&size=0", "seed=a&size=1001", "seed=a&through=x", "seed=a&through=999"] {
                let answer = try await listener.get("/v1/orgs/acme/decisions/sample?\(query)")
                #expect(answer.status == 422, "\(query)")
            }
        }
    }
}
