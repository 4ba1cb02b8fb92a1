import Foundation
import Testing

@testable import ConsentLinkClient

@Suite("Decisions about clicks and opens apart")
struct ApartDecisionsTests {
    private static let decisions =
        #""decision":{"id":"d1","outcome":"tracked","reason":"consentGiven"},"#
        + #""decisions":{"clicks":{"id":"d1","outcome":"tracked","reason":"consentGiven"},"#
        + #""opens":{"id":"d2","outcome":"tracked","reason":"notOptedOut","ended":"consentRefused"}}"#

    @Test("both are read from a payload")
    func payload() throws {
        let text =
            #"{"message":"m","unsupportedMembers":[],"payloads":[{"recipient":"ana","tracked":true,"#
            + Self.decisions + #","payload":{}}]}"#
        let payload = try #require(try ComposedPayloads(parsing: Array(text.utf8)).payloads.first)
        let decisions = try #require(payload.decisions)
        #expect(decisions.clicks.id == payload.decision.id && decisions.clicks.ended == nil)
        #expect(
            (decisions.opens.id, decisions.opens.reason, decisions.opens.ended) == ("d2", .notOptedOut, .consentRefused)
        )
    }

    @Test("a payload whose decisions are not both there is no payload", arguments: ["clicks", "opens"])
    func half(_ name: String) {
        let text =
            #"{"message":"m","unsupportedMembers":[],"payloads":[{"recipient":"ana","tracked":true,"#
            + Self.decisions.replacing("\"\(name)\":", with: "\"other\":") + #","payload":{}}]}"#
        #expect(throws: ConsentLinkError.self) { try ComposedPayloads(parsing: Array(text.utf8)) }
    }

    @Test("both are read from a rewritten mail, and a message names its purposes")
    func mail() throws {
        let text = #"{"tracked":true,"# + Self.decisions + #","links":[]}"#
        let mail = try JSONDecoder().decode(RewrittenMail.self, from: Data(text.utf8))
        #expect(mail.decisions?.opens.id == "d2")
        var message = Message(name: "n")
        message.purposes = Message.Purposes(opens: "open-tracking")
        let written = String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
        #expect(written.contains(#""purposes":{"opens":"open-tracking"}"#))
    }
}
