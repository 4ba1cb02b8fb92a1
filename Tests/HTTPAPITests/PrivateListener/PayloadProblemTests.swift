import JSON
import Testing

@testable import HTTPAPI

/// Where a request says that its message does not fit the format.
@Suite struct PayloadProblemTests {
    private static let message = #"{"name":"n","title":"T","custom":{"aps":"x","mine":"y"}}"#
    private static let order = #""format":"dynamics365","platform":"ios","recipients":["ana"]"#
    private static let detail = "is a key that this format itself uses"

    @Test(
        "a message of the request is pointed into, and of a stored one its id is pointed at", arguments: [false, true])
    func reserved(isPreview: Bool) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let made = try await listener.post("/v1/orgs/acme/messages", Self.message)
            let id = made["id"]?.text ?? ""
            for (member, pointer, detail) in [
                (#""message":\#(Self.message)"#, "/message/custom/aps", Self.detail),
                (#""messageId":"\#(id)""#, "/messageId", "the message's /custom/aps \(Self.detail)"),
            ] {
                let answer = try await listener.post(
                    "/v1/orgs/acme/payloads", #"{\#(member),\#(Self.order),"preview":\#(isPreview)}"#)
                #expect(answer.status == 422 && answer.pointers == [pointer])
                #expect(answer["errors"]?.items.first?["detail"]?.text == detail)
            }
        }
    }

    @Test("a stored message that is too large for its carrier is said of its id")
    func tooLarge() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let text = String(repeating: "x", count: 5000)
            let made = try await listener.post("/v1/orgs/acme/messages", #"{"name":"n","title":"\#(text)"}"#)
            let answer = try await listener.post(
                "/v1/orgs/acme/payloads", #"{"messageId":"\#(made["id"]?.text ?? "")",\#(Self.order)}"#)
            #expect(answer.pointers == ["/messageId"])
            let detail = answer["errors"]?.items.first?["detail"]?.text ?? ""
            #expect(detail.hasPrefix("the message makes a payload of "))
        }
    }
}
