import Foundation
import Testing

@testable import ConsentLinkClient

private let time = "2026-11-20T09:00:00.000Z"
private let organization =
    #""id":"acme","name":"Acme","enforcement":"restrictive","targetHosts":[],"honorGPC":true,"identifiers":"email","#
    + #""retention":{"interactionsDays":null,"decisionsDays":7},"quotas":{"requestsPerMinute":null,"interactions":5},"#
    + #""requireEvidence":true,"consentUrl":"https://shop.example/tracking","askAgainAfterDays":365,"recordAccess":true"#
private let createdKey = #"{"id":"k1","key":"clk_new","scopes":["read"],"name":"auditor"}"#
private let record =
    #"{"id":"c1","recipient":"ana","purpose":"tracking","state":"given","occurredAt":"\#(time)","#
    + #""recordedAt":"\#(time)","validUntil":null,"evidence":{"method":"m","notice":{"id":"n"}}}"#

extension CallSample {
    static let organizations = [
        CallSample(
            "POST /v1/orgs", #"{"enforcement":"restrictive","id":"acme"}"#, "{\(organization),\"key\":\(createdKey)}"
        ) { api, _ in
            let made = try await api.createOrganization(NewOrganization(id: "acme", enforcement: .restrictive))
            #expect((made.organization.name, made.key.secret, made.key.scopes) == ("Acme", "clk_new", [.read]))
        },
        CallSample(
            "POST /v1/orgs",
            #"{"askAgainAfterDays":365,"consentUrl":"https://shop.example/tracking","enforcement":"restrictive","#
                + #""id":"acme","requireEvidence":true,"retention":{"decisionsDays":"forever"}}"#,
            "{\(organization),\"key\":\(createdKey)}"
        ) { api, _ in
            let careful = NewOrganization(
                id: "acme", enforcement: .restrictive, retention: RetentionChange(decisions: .forever),
                requireEvidence: true, consentUrl: "https://shop.example/tracking", askAgainAfterDays: 365)
            let made = try await api.createOrganization(careful).organization
            #expect(made.requireEvidence && made.consentUrl == careful.consentUrl && made.askAgainAfterDays == 365)
        },
        CallSample("GET /v1/orgs?limit=1000", "", #"{"organizations":[{\#(organization)}],"next":null}"#) { api, _ in
            same(try await items(api.organizations()).map(\.name), ["Acme"])
        },
        CallSample("GET /v1/orgs/acme", "", "{\(organization)}") { _, acme in
            let settings = try await acme.settings()
            #expect(settings.retention == Retention(interactions: .forever, decisions: .days(7)))
            #expect(settings.quotas == Quotas(interactions: 5))
        },
        CallSample("PATCH /v1/orgs/acme", #"{"honorGPC":false,"targetHosts":["a"]}"#, "{\(organization)}") { _, acme in
            try await acme.change(OrganizationChange(targetHosts: ["a"], honorGPC: false))
        },
        CallSample(
            "PATCH /v1/orgs/acme",
            #"{"quotas":{"interactions":5},"requireEvidence":false,"retention":{"interactionsDays":7}}"#,
            "{\(organization)}"
        ) { _, acme in
            let change = OrganizationChange(
                retention: RetentionChange(interactions: .days(7)), quotas: Quotas(interactions: 5),
                requireEvidence: false)
            same(try await acme.change(change).quotas.interactions, 5)
        },
        CallSample(
            "PATCH /v1/orgs/acme", #"{"askAgainAfterDays":200,"consentUrl":""}"#,
            "{\(organization.replacing(#""https://shop.example/tracking""#, with: "null"))}"
        ) { _, acme in
            same(try await acme.change(OrganizationChange(consentUrl: "", askAgainAfterDays: 200)).consentUrl, nil)
        },
        CallSample(
            "GET /v1/orgs/acme/keys?limit=1000", "",
            #"{"keys":[{"id":"k1","scopes":["report"],"name":"n"}],"next":null}"#
        ) {
            same(try await items($1.keys()).map(\.scopes), [[.report]])
        },
        CallSample("POST /v1/orgs/acme/keys", #"{"name":"auditor","scopes":["read"]}"#, createdKey) { _, acme in
            same(try await acme.createKey(scopes: [.read], name: "auditor").secret, "clk_new")
        },
        CallSample("DELETE /v1/orgs/acme/keys/k1", "", "") { try await $1.deleteKey("k1") },
    ]

    static let people = [
        CallSample(
            "POST /v1/orgs/acme/consents",
            #"[{"evidence":{"actor":"subject","method":"form"},"occurredAt":"\#(time)","recipient":"ana","state":"given"}]"#,
            #"{"consents":[\#(record)]}"#, hasIdempotencyKey: true
        ) { _, acme in
            let given = NewConsent(
                recipient: "ana", state: .given, occurredAt: Date(timeIntervalSince1970: 1_795_165_200),
                evidence: Evidence(method: "form", actor: "subject"))
            same(try await acme.record([given]).map(\.id), ["c1"])
        },
        CallSample(
            "POST /v1/orgs/acme/consents/query", #"{"recipient":"ana"}"#,
            #"{"recipient":"ana","current":[{"purpose":"tracking","state":"expired","since":"\#(time)","#
                + #""validUntil":"\#(time)","consent":"c1"}],"history":[\#(record)]}"#
        ) { _, acme in
            let consent = try await acme.consent(of: "ana")
            #expect(consent.current.map(\.state) == [.expired])
            #expect(consent.history.first?.evidence?.notice?.id == "n")
        },
        CallSample(
            "POST /v1/orgs/acme/recipients/erase", #"{"recipient":"ana"}"#,
            #"{"consents":1,"decisions":2,"interactions":3}"#
        ) { _, acme in
            same(try await acme.erase("ana").interactions, 3)
        },
        CallSample("POST /v1/orgs/acme/recipients/export", #"{"recipient":"ana"}"#, #"{"recipient":"ana"}"#) {
            same(try await $1.export(of: "ana").text, #"{"recipient":"ana"}"#)
        },
        CallSample(
            "POST /v1/orgs/acme/recipients/export", #"{"recipient":"ana"}"#, #"{"@graph":[]}"#,
            accepts: "application/ld+json"
        ) {
            same(try await $1.consentHistory(of: "ana").text, #"{"@graph":[]}"#)
        },
    ]

    static let change =
        #"{"cursor":"e2","kind":"recipient.erased","consent":null,"erasedAt":"\#(time)","#
        + #""erasure":{"consents":2,"decisions":4,"interactions":1}}"#

    static let reading = [
        CallSample(
            "GET /v1/orgs/acme/consents?after=e1&limit=5&wait=20", "",
            #"{"changes":[\#(change)],"next":null,"cursor":"e2"}"#
        ) { _, acme in
            let page = try await acme.consentChanges(after: "e1", limit: 5, wait: 20)
            #expect((page.cursor, page.changes.first?.erasure?.decisions) == ("e2", 4))
            same(page.changes.first?.kind, .recipientErased)
        },
        CallSample(
            "GET /v1/orgs/acme/decisions/d1", "",
            #"{"id":"d1","decidedAt":"\#(time)","recipient":"ana","message":"m","purpose":"tracking","#
                + #""outcome":"tracked","reason":"consentGiven","enforcement":"restrictive","consent":"c1","#
                + #""policy":{"enforcement":"restrictive","inForce":"given","rule":"r"},"consentRecord":\#(record),"#
                + #""interactions":[],"next":null,"proof":"p"}"#
        ) { _, acme in
            let decision = try await acme.decision("d1")
            #expect((decision.decision.reason, decision.policy.rule, decision.proof) == (.consentGiven, "r", "p"))
            #expect(decision.consentRecord?.id == "c1")
        },
        CallSample(
            "POST /v1/orgs/acme/decisions/query", #"{"limit":1000,"message":"m","outcome":"untracked"}"#,
            #"{"decisions":[],"next":null}"#
        ) { _, acme in
            let query = DecisionQuery(message: "m", outcome: .untracked)
            for try await page in acme.decisions(query) { same(page.decisions, []) }
        },
        CallSample(
            "POST /v1/orgs/acme/accesses/query", #"{"after":"a0","limit":5,"recipient":"ana","who":"operator"}"#,
            #"{"accesses":[{"id":"a1","accessedAt":"\#(time)","who":"operator","what":"consents","#
                + #""recipient":"ana","reason":"a complaint"}],"next":"a1"}"#
        ) { _, acme in
            let page = try await acme.accesses(AccessQuery(recipient: "ana", who: "operator"), after: "a0", limit: 5)
            #expect(
                (page.next, page.accesses.first?.what, page.accesses.first?.reason) == (
                    "a1", AccessedRecords.consents, "a complaint"
                ))
        },
        CallSample(
            "POST /v1/orgs/acme/interactions/query",
            #"{"activity":"clicks","automated":false,"first":true,"limit":10,"link":2,"visitor":"cannotTell"}"#,
            #"{"interactions":[\#(FeedTests.interaction(1))],"next":null,"cursor":"c"}"#
        ) { _, acme in
            let query = InteractionQuery(
                activity: .clicks, visitor: .cannotTell, link: 2, automated: false, first: true)
            let page = try await acme.interactions(query, limit: 10)
            #expect((page.cursor, page.interactions.first?.visitorReason) == ("c", .browserAgent))
        },
    ]

    static let ledger = [
        CallSample(
            "GET /v1/orgs/acme/ledger", "", #"{"origin":"o","size":7,"root":"r","verifierKey":"k","closed":null}"#
        ) {
            same(try await $1.ledger().size, 7)
        },
        CallSample(
            "GET /v1/orgs/acme/ledger/tile/1/067.p/2", "",
            String(repeating: "a", count: 32)
                + String(
                    repeating: "b", count: 32)
        ) {
            same(try await $1.tile(level: 1, index: 67, width: 2).map(\.first), [0x61, 0x62])
        },
        CallSample("GET /v1/orgs/acme/ledger/tile/0/067", "", String(repeating: "a", count: 32 * 256)) {
            same(try await $1.tile(level: 0, index: 67).count, 256)
        },
        CallSample("GET /v1/orgs/acme/ledger/tile/entries/000.p/2", "", "\0\u{2}{}\0\u{1}7") {
            same(try await $1.ledgerEntries(ofTile: 0, width: 2), [Array("{}".utf8), Array("7".utf8)])
        },
        CallSample("GET /v1/orgs/acme/ledger/checkpoint", "", "note") { same(try await $1.checkpoint(), "note") },
        CallSample("GET /v1/orgs/acme/decisions/d1/proof", "", "p") {
            same(try await $1.proof(ofDecision: "d1"), "p")
        },
        CallSample("GET /v1/orgs/acme/consents/c1/proof", "", "p") {
            same(try await $1.proof(ofConsent: "c1"), "p")
        },
    ]
}
