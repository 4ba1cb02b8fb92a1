import Testing

@testable import ConsentLinkClient

private let time = "2026-11-20T09:00:00.000Z"
private let message =
    #"{"id":"m1","name":"sale","links":[{"index":1,"url":"https://x/","where":"link","label":null,"tracked":true}],"#
    + #""createdAt":"\#(time)","disabled":false,"skipped":[{"where":"html","offset":1,"line":1,"url":"u","#
    + #""reason":"relative","detail":"d"}],"content":{"name":"sale","title":"t"}}"#

extension CallSample {
    static let composing = [
        CallSample(
            "POST /v1/orgs/acme/messages",
            #"{"actions":[{"id":"a","title":"A"}],"name":"sale"}"#, message, hasIdempotencyKey: true
        ) { _, acme in
            var sale = Message(name: "sale")
            sale.actions = [.init(id: "a", title: "A")]
            let stored = try await acme.createMessage(sale)
            #expect((stored.id, stored.links.first?.where, stored.skipped?.first?.reason) == ("m1", "link", "relative"))
        },
        CallSample("GET /v1/orgs/acme/messages/m1", "", message) {
            same(try await $1.message("m1").content?.title, "t")
        },
        CallSample("POST /v1/orgs/acme/messages/m1/disable", "", message) { try await $1.disableMessage("m1") },
        CallSample("POST /v1/orgs/acme/messages/m1/enable", "", message) { try await $1.enableMessage("m1") },
        CallSample("GET /v1/orgs/acme/messages/m1/report", "", #"{"composed":5}"#) {
            same(try await $1.report(of: "m1").decoded(as: [String: Int].self), ["composed": 5])
        },
        CallSample(
            "POST /v1/orgs/acme/payloads", #"{"format":"plain","message":{"name":"sale"},"recipients":["ana","bo"]}"#,
            #"{"message":"m1","unsupportedMembers":["badge"],"notCarried":["badge"],"payloads":[{"recipient":"ana","#
                + #""tracked":false,"decision":{"id":"d1","outcome":"tracked","reason":"consentGiven"},"#
                + #""ended":"consentWithdrawn","payload":{"z":1.0,"a":2}}]}"#,
            hasIdempotencyKey: true
        ) { _, acme in
            let order = PayloadOrder(Message(name: "sale"), format: .plain)
            let composed = try await acme.compose(order, for: ["ana", "bo"])
            #expect((composed.message, composed.unsupportedMembers) == ("m1", ["badge"]))
            let payload = try #require(composed.payloads.first)
            #expect((payload.recipient, payload.tracked, payload.ended) == ("ana", false, .consentWithdrawn))
            #expect((payload.decision.outcome, payload.payload.text) == (.tracked, #"{"z":1.0,"a":2}"#))
        },
        CallSample(
            "POST /v1/orgs/acme/rewrites", #"{"messageId":"m1","recipient":"ana","text":"t"}"#,
            #"{"tracked":true,"decision":{"id":"d1","outcome":"tracked","reason":"consentGiven"},"text":"t2","links":"#
                + #"[{"where":"text","offset":1,"line":1,"url":"u","label":null,"index":2,"skipped":null,"detail":null}]}"#,
            hasIdempotencyKey: true
        ) { _, acme in
            let mail = try await acme.rewrite(RewriteRequest(messageId: "m1", recipient: "ana", text: "t"))
            #expect((mail.text, mail.links.first?.index) == ("t2", 2))
        },
    ]

    static let operating = [
        CallSample(
            "GET /v1/keyring", "",
            #"{"keys":[{"id":1,"createdAt":"\#(time)","signs":true,"signedUntil":null,"linksAliveUntil":null}]}"#
        ) { api, _ in
            same(try await api.signingKeys().map(\.signs), [true])
        },
        CallSample("POST /v1/keyring/rotate", "", #"{"id":2,"createdAt":"\#(time)"}"#) { api, _ in
            same(try await api.rotateSigningKey().id, 2)
        },
        CallSample("POST /v1/keyring/1/retire", #"{"force":true}"#, "") { api, _ in
            try await api.retireSigningKey(1, force: true)
        },
        CallSample("POST /v1/inspect", #"{"token":"T"}"#, #"{"genuine":false,"reason":"forged"}"#) { api, _ in
            same(try await api.inspect("T").reason, "forged")
        },
        CallSample(
            "POST /v1/backup", "",
            #"{"folder":"f","startedAt":"\#(time)","finishedAt":"\#(time)","files":[{"name":"n","bytes":7}]}"#
        ) { api, _ in
            same(try await api.backUp().files.map(\.bytes), [7])
        },
    ]
}
