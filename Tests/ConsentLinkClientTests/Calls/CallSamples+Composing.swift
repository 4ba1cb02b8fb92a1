import Foundation
import Testing

@testable import ConsentLinkClient

private let time = "2026-11-20T09:00:00.000Z"
private let timeInQuery = "2026-11-20T09%3A00%3A00.000Z"
private let message =
    #"{"id":"m1","name":"sale","tags":["shop"],"links":[{"index":1,"url":"https://x/","where":"link","label":null,"tracked":true}],"#
    + #""createdAt":"\#(time)","disabled":false,"skipped":[{"where":"html","offset":1,"line":1,"url":"u","#
    + #""reason":"relative","detail":"d"}],"content":{"name":"sale","title":"t"}}"#

extension CallSample {
    static let composing = [
        CallSample(
            "POST /v1/orgs/acme/messages",
            #"{"actions":[{"id":"a","label":"more","title":"A"}],"linkLabel":"page","name":"sale","tags":["shop"]}"#,
            message, hasIdempotencyKey: true
        ) { _, acme in
            var sale = Message(name: "sale", tags: ["shop"])
            sale.linkLabel = "page"
            sale.actions = [.init(id: "a", title: "A", label: "more")]
            let stored = try await acme.createMessage(sale)
            same(stored.tags, ["shop"])
            #expect((stored.id, stored.links.first?.where, stored.skipped?.first?.reason) == ("m1", "link", "relative"))
        },
        CallSample("GET /v1/orgs/acme/messages/m1", "", message) {
            same(try await $1.message("m1").content?.title, "t")
        },
        CallSample("POST /v1/orgs/acme/messages/m1/disable", "", message) { try await $1.disableMessage("m1") },
        CallSample("POST /v1/orgs/acme/messages/m1/enable", "", message) { try await $1.enableMessage("m1") },
        CallSample(
            "GET /v1/orgs/acme/messages?name=a%26b%2B%C3%A9%20&tag=shop&from=\(timeInQuery)&to=\(timeInQuery)&limit=1000",
            "",
            #"{"messages":[{"id":"m1","name":"a","tags":["shop"],"purpose":"tracking","createdAt":"\#(time)","#
                + #""expiresAt":null,"disabled":false}],"next":null}"#
        ) { _, acme in
            let moment = Date(timeIntervalSince1970: 1_795_165_200)
            let query = MessageQuery(namePrefix: "a&b+é ", tag: "shop", from: moment, to: moment)
            same(try await items(acme.messages(query)).map(\.tags), [["shop"]])
        },
        CallSample(
            "GET /v1/orgs/acme/messages?after=m%3A1&limit=20", "", #"{"messages":[],"next":"m:2"}"#
        ) {
            same(try await $1.messagePage(after: "m:1", limit: 20).next, "m:2")
        },
        CallSample(
            "POST /v1/orgs/acme/payloads", #"{"format":"plain","message":{"name":"sale"},"recipients":["ana"]}"#,
            #"{"message":"m1","unsupportedMembers":["badge"],"notCarried":["badge"],"payloads":[{"recipient":"ana","#
                + #""tracked":false,"decision":{"id":"d1","outcome":"tracked","reason":"consentGiven"},"#
                + #""ended":"consentWithdrawn","payload":{"z":1.0,"a":2}}]}"#,
            hasIdempotencyKey: true
        ) { _, acme in
            let order = PayloadOrder(Message(name: "sale"), format: .plain)
            let composed = try await acme.compose(order, for: ["ana"])
            #expect((composed.message, composed.unsupportedMembers) == ("m1", ["badge"]))
            let payload = try #require(composed.payloads.first)
            #expect((payload.recipient, payload.tracked, payload.ended) == ("ana", false, .consentWithdrawn))
            #expect((payload.decision.outcome, payload.payload.text) == (.tracked, #"{"z":1.0,"a":2}"#))
        },
        CallSample(
            "POST /v1/orgs/acme/payloads", #"{"format":"plain","messageId":"m1","preview":true,"recipients":["ana"]}"#,
            #"{"message":null,"unsupportedMembers":["badge"],"payloads":[{"recipient":"ana","tracked":true,"#
                + #""decision":{"id":null,"outcome":"tracked","reason":"consentGiven"},"payload":{"z":1.0}}]}"#
        ) { _, acme in
            let previewed = try await acme.preview(PayloadOrder(.stored("m1"), format: .plain), for: ["ana"])
            #expect((previewed.message, previewed.unsupportedMembers) == (nil, ["badge"]))
            let preview = try #require(previewed.payloads.first)
            #expect((preview.recipient, preview.tracked, preview.reason) == ("ana", true, .consentGiven))
            same(preview.payload.text, #"{"z":1.0}"#)
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
        CallSample("GET /healthz", "", #"{"status":"alive"}"#) { api, _ in try await api.checkAlive() },
        CallSample("GET /readyz", "", #"{"status":"ready"}"#) { api, _ in try await api.checkReady() },
        CallSample("GET /metrics", "", "consentlink_spool_depth 0\n") { api, _ in
            same(try await api.metrics(), "consentlink_spool_depth 0\n")
        },
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
            #"{"folder":"f","startedAt":"\#(time)","finishedAt":"\#(time)","includesDatabase":true,"files":[{"name":"n","bytes":7}]}"#
        ) { api, _ in
            same(try await api.backUp().files.map(\.bytes), [7])
        },
        CallSample(
            "POST /v1/console/sign-in-links", "",
            #"{"url":"http://127.0.0.1:8082/sign-in/link/T","expiresAt":"\#(time)"}"#
        ) { api, _ in
            same(try await api.makeSignInLink().url, "http://127.0.0.1:8082/sign-in/link/T")
        },
        CallSample(
            "GET /v1/nodes", "",
            #"{"nodes":[{"name":"n","slot":3,"state":"silent","version":"1","lastSeenSeconds":9,"changesBehind":1,"spooled":2}]}"#
        ) { api, _ in
            same(try await api.nodes().map(\.slot), [3])
        },
        CallSample("DELETE /v1/nodes/n?force=true", "", "") { api, _ in try await api.removeNode("n", force: true) },
    ]
}
