import StubService
import Testing

@testable import ConsentLinkClient

@Suite struct PreviewTests {
    private let order = PayloadOrder(Message(name: "sale"), format: .plain)

    private static func preview(_ id: String, of recipient: String = #""ana""#) -> String {
        #"{"recipient":\#(recipient),"tracked":true,"decision":{"id":\#(id),"outcome":"tracked","#
            + #""reason":"consentGiven"},"payload":{}}"#
    }

    @Test("a payload that was decided and signed is not taken for a preview")
    func decided() async throws {
        let answer = #"{"message":"m1","payloads":[\#(Self.preview(#""d1""#))]}"#
        _ = try await StubServer.with({ _, _ in .json(answer) }) { server in
            await #expect(throws: ConsentLinkError.unexpectedAnswer("it is a payload and no preview")) {
                _ = try await OrganizationAPI.quick(server.base).preview(order, for: ["ana"])
            }
        }
        var plan = LineService.Plan()
        plan.answer = { recipient, _ in Self.preview(#""d1""#, of: recipient) }
        _ = try await LineService.with(plan) { _, base in
            await #expect(throws: ConsentLinkError.unexpectedAnswer("it is a payload and no preview")) {
                for try await _ in try OrganizationAPI.quick(base).preview(order, forEach: ["ana"]) {}
            }
        }
    }

    private static func apart(_ id: String) -> String {
        let part = #""outcome":"tracked","reason":"consentGiven""#
        return #"{"message":null,"payloads":[{"recipient":"ana","tracked":true,"decision":{"id":null,\#(part)},"#
            + #""decisions":{"clicks":{"id":null,\#(part)},"opens":{"id":\#(id),"outcome":"untracked","#
            + #""reason":"noConsentRecord"}},"payload":{}}]}"#
    }

    @Test("what would be decided about clicks and opens apart is read")
    func apart() throws {
        let preview = try #require(PreviewedPayloads(parsing: Array(Self.apart("null").utf8)).payloads.first)
        let decisions = try #require(preview.decisions)
        #expect((decisions.clicks.outcome, decisions.clicks.reason) == (.tracked, .consentGiven))
        #expect((decisions.opens.outcome, decisions.opens.reason) == (.untracked, .noConsentRecord))
    }

    @Test("decisions apart that were made, or of which one is missing, are no preview")
    func apartAndWrong() throws {
        for text in [Self.apart(#""d2""#), Self.apart("null").replacing(#""opens":"#, with: #""other":"#)] {
            #expect(throws: ConsentLinkError.self) { try PreviewedPayloads(parsing: Array(text.utf8)) }
        }
    }

    @Test("previews go on over broken connections, and a refused recipient is told")
    func cut() async throws {
        var plan = LineService.Plan()
        plan.cuts = [0, 700, 300]
        plan.answer = { recipient, _ in
            recipient == "\"\"" ? #"{"error":{"status":422,"detail":"no"}}"# : Self.preview("null", of: recipient)
        }
        let people = (0..<3000).map { "\($0)@people.example" }
        try await LineService.with(plan) { service, base in
            var (recipients, refused): ([String], Int) = ([], 0)
            for try await line in try OrganizationAPI.quick(base).preview(order, forEach: people + [""]) {
                switch line {
                case .payload(let preview): recipients.append(preview.recipient)
                case .refused: refused += 1
                }
            }
            #expect((recipients, refused, service.connections) == (people, 1, 4))
            #expect(Set(service.orders) == [#"{"format":"plain","message":{"name":"sale"},"preview":true}"#])
        }
    }
}
