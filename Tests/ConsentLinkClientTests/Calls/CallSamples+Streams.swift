import Foundation
import NIOCore
import Testing

@testable import ConsentLinkClient

private let time = "2026-11-20T09:00:00.000Z"
private let lines = "application/x-ndjson"
private let decision =
    #"{"id":"d1","decidedAt":"\#(time)","recipient":"ana","message":"m","purpose":"tracking","outcome":"tracked","#
    + #""reason":"consentGiven","enforcement":"restrictive","consent":"c"}"#
private let part = #""id":"d1","outcome":"tracked","reason":"consentGiven""#
private let summary = #""decision":{\#(part)}"#

private func text(_ bytes: ExportedBytes) async throws -> String {
    var text = ""
    for try await piece in bytes { text += String(buffer: piece) }
    return text
}

extension CallSample {
    static let streams = linesForLines + exports

    private static let linesForLines = [
        CallSample(
            "POST /v1/orgs/acme/consents",
            #"{"occurredAt":"\#(time)","recipient":"ana","state":"given"}"# + "\n"
                + #"{"recipient":"","state":"withdrawn"}"# + "\n",
            #"{"id":"c1","recipient":"ana","purpose":"tracking","state":"given","occurredAt":"\#(time)","#
                + #""recordedAt":"\#(time)"}"# + "\n" + #"{"error":{"status":422,"detail":"empty"}}"# + "\n",
            sends: lines
        ) { _, acme in
            let moment = Date(timeIntervalSince1970: 1_795_165_200)
            let consents = [
                NewConsent(recipient: "ana", state: .given, occurredAt: moment),
                NewConsent(recipient: "", state: .withdrawn),
            ]
            var (ids, refused): ([String], [String?]) = ([], [])
            for try await line in acme.record(forEach: consents) {
                switch line {
                case .recorded(let consent): ids.append(try consent.parsed().id)
                case .refused(let problem): refused.append(problem.detail)
                }
            }
            #expect((ids, refused) == (["c1"], ["empty"]))
        },
        CallSample(
            "POST /v1/orgs/acme/payloads", #"{"format":"plain","messageId":"m1"}"# + "\n\"ana\"\n",
            #"{"recipient":"ana","tracked":true,\#(summary),"payload":{}}"# + "\n", sends: lines
        ) { _, acme in
            let order = PayloadOrder(.stored("m1"), format: .plain)
            var found: [String] = []
            for try await case .payload(let payload) in try acme.compose(order, forEach: ["ana"]) {
                found.append(try payload.parsed().recipient)
            }
            same(found, ["ana"])
        },
        CallSample(
            "POST /v1/orgs/acme/payloads", #"{"format":"plain","messageId":"m1","preview":true}"# + "\n\"ana\"\n",
            #"{"recipient":"ana","tracked":false,"decision":{"id":null,"outcome":"untracked","reason":"noConsentRecord"},"#
                + #""payload":{}}"# + "\n", sends: lines
        ) { _, acme in
            let order = PayloadOrder(.stored("m1"), format: .plain)
            var found: [Reason] = []
            for try await case .payload(let preview) in try acme.preview(order, forEach: ["ana"]) {
                found.append(preview.reason)
            }
            same(found, [.noConsentRecord])
        },
        CallSample(
            "POST /v1/orgs/acme/rewrites",
            #"{"messageId":"m1","text":"t"}"# + "\n" + #"{"html":"<p>","recipient":"ana"}"# + "\n",
            #"{"recipient":"ana","tracked":true,\#(summary),"decisions":{"clicks":{\#(part)},"opens":{\#(part)}},"html":"<p>","#
                + #""text":"t","trackingId":"T","preferencesUrl":"https://l/p/T","skipped":[{"where":"html","#
                + #""offset":1,"line":1,"url":"u","reason":"relative","detail":"d"}]}"# + "\n", sends: lines
        ) { _, acme in
            let order = RewriteOrder(messageId: "m1", text: "t")
            var found: [RewrittenMailLine] = []
            let mails = [PersonalMail(recipient: "ana", html: "<p>")]
            for try await case .mail(let mail) in try acme.rewrite(order, forEach: mails) {
                found.append(try mail.parsed())
            }
            #expect(found.map(\.html) == ["<p>"])
            #expect((found.first?.trackingId, found.first?.preferencesUrl) == ("T", "https://l/p/T"))
            #expect(found.first?.decisions?.opens.reason == .consentGiven)
            #expect(found.first?.skipped.map(\.reason) == ["relative"])
        },
    ]

    private static let exports = [
        CallSample("GET /v1/orgs/acme/consents?after=e1", "", change + "\n", accepts: lines) { _, acme in
            for try await found in acme.exportConsentChanges(after: "e1") { same(found.cursor, "e2") }
        },
        CallSample("POST /v1/orgs/acme/decisions/query", "{}", decision + "\n", accepts: lines) { _, acme in
            for try await found in try acme.exportDecisions() { same(found.reason, .consentGiven) }
        },
        CallSample(
            "POST /v1/orgs/acme/interactions/query", #"{"link":2}"#, FeedTests.interaction(1) + "\n", accepts: lines
        ) { _, acme in
            for try await found in try acme.exportInteractions(InteractionQuery(link: 2)) {
                same(found.visitor, .person)
            }
        },
        CallSample("POST /v1/orgs/acme/decisions/query", "{}", "\"id\"\n", accepts: "text/csv") { _, acme in
            same(try await text(try acme.exportDecisionTable()), "\"id\"\n")
        },
        CallSample("POST /v1/orgs/acme/interactions/query", "{}", "\"id\"\n", accepts: "text/csv") { _, acme in
            same(try await text(try acme.exportInteractionTable()), "\"id\"\n")
        },
        CallSample("POST /v1/orgs/acme/audits", #"{"recipient":"ana"}"#, "tar", accepts: "application/x-tar") {
            same(try await text(try $1.exportAudit(AuditRequest(recipient: "ana"))), "tar")
        },
    ]
}
