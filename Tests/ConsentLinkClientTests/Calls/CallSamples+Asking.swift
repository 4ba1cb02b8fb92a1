import Foundation
import Testing

@testable import ConsentLinkClient

private let requests = "/v1/orgs/acme/consent-requests"
/// Made of the example in `docs/openapi.yaml`.
private let request = APIDocument.main.example(of: "askForConsent")
private let readRequest =
    #"{"id":"r1","recipient":null,"state":"answered","purposes":[{"purpose":"tracking","answer":"refused","#
    + #""consent":"c1","awaitingConfirmation":false,"closedBy":"laterAnswer"}],"notice":null,"confirm":false,"#
    + #""madeAt":"2026-11-20T09:00:00.000Z","expiresAt":"2026-12-20T09:00:00.000Z"}"#

extension CallSample {
    static let asking = [
        CallSample(
            "POST \(requests)",
            #"{"confirm":true,"notice":{"id":"privacy","language":"en","text":"May we?","version":"3"},"#
                + #""purposes":["tracking","offers"],"recipient":"ana"}"#,
            request, hasIdempotencyKey: true
        ) { _, acme in
            let notice = NewNotice(id: "privacy", version: "3", language: "en", content: .text("May we?"))
            let made = try await acme.askForConsent(
                NewConsentRequest(recipient: "ana", notice: notice, purposes: ["tracking", "offers"], confirm: true))
            #expect((made.id, made.state, made.notice?.version) == ("3440a67a37cb65a7", .open, "3"))
            #expect(made.purposes.map(\.purpose) == ["tracking"] && made.purposes.first?.answer == nil)
            #expect(made.url?.hasPrefix("https://links.example.com/c/") == true && made.confirmUrl == nil)
        },
        CallSample(
            "POST \(requests)",
            #"{"notice":{"id":"privacy","language":"en","sha256":"ab","url":"https://shop.example/p","version":"3"},"#
                + #""recipient":"ana"}"#,
            request, hasIdempotencyKey: true
        ) { _, acme in
            let content = NewNotice.Content.page(url: "https://shop.example/p", sha256: "ab")
            let notice = NewNotice(id: "privacy", version: "3", language: "en", content: content)
            let made = try await acme.askForConsent(NewConsentRequest(recipient: "ana", notice: notice))
            same(made.recipient, "asked@example.com")
        },
        CallSample("GET \(requests)/r1", "", readRequest) { _, acme in
            let found = try await acme.consentRequest("r1")
            #expect((found.recipient, found.notice, found.url, found.confirmUrl) == (nil, nil, nil, nil))
            let asked = try #require(found.purposes.first)
            #expect((asked.answer, asked.consent, asked.closedBy) == (.refused, "c1", .laterAnswer))
        },
        CallSample(
            "POST \(requests)/query", #"{"recipient":"ana"}"#, #"{"recipient":"ana","requests":[\#(readRequest)]}"#
        ) {
            same(try await $1.consentRequests(to: "ana").requests.map(\.state), [.answered])
        },
        CallSample(
            "GET \(requests)?state=awaitingConfirmation&limit=1000", "",
            #"{"requests":[\#(request)],"next":null,"cursor":"c2"}"#
        ) {
            same(try await items($1.unconfirmedRequests()).map(\.id), ["3440a67a37cb65a7"])
        },
        CallSample(
            "GET \(requests)?state=awaitingConfirmation&after=c2&limit=20", "",
            #"{"requests":[],"next":null,"cursor":"c2"}"#
        ) {
            same(try await $1.unconfirmedRequestPage(after: "c2", limit: 20).cursor, "c2")
        },
    ]
}
