import StubService
import TestSupport
import Testing

@testable import consentlink

@Suite struct InspectTests {
    @Test(
        "what decides whether something is recorded is told",
        arguments: [
            (#""disabled":false,"expired":false,"recorded":true,"consent":"consentGiven""#, "yes (consentGiven)"),
            (#""disabled":true,"expired":true,"recorded":false,"consent":"consentGiven""#, "no (switched off)"),
            (#""disabled":false,"expired":true,"recorded":false,"consent":"consentGiven""#, "no (expired)"),
            (
                #""disabled":false,"expired":false,"recorded":false,"consent":"consentWithdrawn""#,
                "no (consentWithdrawn)"
            ),
            (
                #""disabled":false,"expired":false,"recorded":false,"consent":"recipientErased""#,
                "no (recipientErased, or not known here)"
            ),
            (#""disabled":false,"expired":false,"recorded":false,"consent":null"#, "no (-)"),
        ])
    func decided(_ members: String, _ expected: String) async throws {
        let opens = #""opens":{"recorded":false,"consent":"noConsentRecord"}"#
        let reply = StubServer.Reply.json(#"{"genuine":true,\#(members),\#(opens)}"#)
        let done = try await StubServer.with({ request, _ in
            request.path == "/robots.txt" ? .problem(404, "no") : reply
        }) { try await CommandRun.of(["inspect", "AQE", "--api", $0.base]) }
        let lines = done.output.split(separator: "\n")
        #expect(lines.contains("recorded now  \(expected)"))
        let isOfConsent = !["switched off", "expired"].contains { expected.contains($0) }
        #expect(lines.last == (isOfConsent ? "opens         no (noConsentRecord)" : "opens         \(expected)"))
    }
}
