import Testing

@testable import ConsentLinkClient

private let time = "2026-11-20T09:00:00.000Z"

extension CallSample {
    private static let members =
        #""id":"e1","url":"https://crm.example/hooks","kinds":["consent.recorded"],"include":["recipient"],"#
        + #""state":"enabled","createdAt":"\#(time)","cursor":"e12","failures":0,"failingSince":null,"#
        + #""nextAttemptAt":null,"formerSecretUntil":null"#
    private static let endpoint = "{\(members)}"
    private static let withSecret = #"{\#(members),"secret":"whsec_AAAA"}"#

    static let endpoints = [
        CallSample(
            "POST /v1/orgs/acme/endpoints",
            #"{"include":["recipient"],"kinds":["consent.recorded"],"url":"https://crm.example/hooks"}"#, withSecret
        ) { _, acme in
            let new = NewEndpoint(
                url: "https://crm.example/hooks", kinds: [.consentRecorded], include: [.recipient])
            let made = try await acme.createEndpoint(new)
            #expect((made.secret, made.endpoint.state, "\(made)") == ("whsec_AAAA", .enabled, "endpoint e1"))
        },
        CallSample("GET /v1/orgs/acme/endpoints", "", #"{"endpoints":[\#(endpoint)]}"#) {
            same(try await $1.endpoints().map(\.id), ["e1"])
        },
        CallSample("GET /v1/orgs/acme/endpoints/e1", "", endpoint) {
            same(try await $1.endpoint("e1").cursor, "e12")
        },
        CallSample("PATCH /v1/orgs/acme/endpoints/e1", #"{"kinds":["recipient.erased"]}"#, endpoint) {
            same(try await $1.changeEndpoint("e1", EndpointChange(kinds: [.recipientErased])).id, "e1")
        },
        CallSample("DELETE /v1/orgs/acme/endpoints/e1", "", "") { try await $1.removeEndpoint("e1") },
        CallSample("POST /v1/orgs/acme/endpoints/e1/enable", "{}", endpoint) {
            same(try await $1.enableEndpoint("e1").id, "e1")
        },
        CallSample("POST /v1/orgs/acme/endpoints/e1/disable", "{}", endpoint) {
            same(try await $1.disableEndpoint("e1").id, "e1")
        },
        CallSample("POST /v1/orgs/acme/endpoints/e1/secret", "{}", withSecret) {
            same(try await $1.rotateEndpointSecret("e1").secret, "whsec_AAAA")
        },
        CallSample("POST /v1/orgs/acme/endpoints/e1/replay", #"{"after":"e3"}"#, endpoint) {
            same(try await $1.replayEndpoint("e1", after: "e3").id, "e1")
        },
        CallSample("POST /v1/orgs/acme/endpoints/e1/test", "{}", #"{"webhookId":"msg_1"}"#) {
            same(try await $1.testEndpoint("e1").webhookId, "msg_1")
        },
        CallSample(
            "GET /v1/orgs/acme/endpoints/e1/attempts", "",
            #"{"attempts":[{"at":"\#(time)","kind":"endpoint.test","webhookId":"msg_1","status":null,"#
                + #""reason":"timedOut","milliseconds":15000}]}"#
        ) {
            same(try await $1.deliveryAttempts(of: "e1").map(\.reason), ["timedOut"])
        },
    ]
}
