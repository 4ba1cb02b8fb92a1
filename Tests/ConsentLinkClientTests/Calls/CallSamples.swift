import Foundation
import Testing

@testable import ConsentLinkClient

private let time = "2026-11-20T09:00:00.000Z"
private let organization =
    #""id":"acme","name":"Acme","enforcement":"restrictive","targetHosts":[],"honorGPC":true,"identifiers":"email","#
    + #""retention":{"interactionsDays":null,"decisionsDays":7},"quotas":{"requestsPerMinute":null,"interactions":5}"#
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
        CallSample("GET /v1/orgs/acme", "", "{\(organization)}") { _, acme in
            let settings = try await acme.settings()
            #expect(settings.retention == Retention(interactions: .forever, decisions: .days(7)))
            #expect(settings.quotas == Quotas(interactions: 5))
        },
        CallSample("PATCH /v1/orgs/acme", #"{"honorGPC":false,"targetHosts":["a"]}"#, "{\(organization)}") { _, acme in
            try await acme.change(OrganizationChange(targetHosts: ["a"], honorGPC: false))
        },
        CallSample("GET /v1/orgs/acme/keys", "", #"{"keys":[{"id":"k1","scopes":["read"],"name":"n"}],"next":null}"#) {
            same(try await $1.keys().map(\.name), ["n"])
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
        CallSample("GET /v1/orgs/acme/ledger/checkpoint", "", "note") { same(try await $1.checkpoint(), "note") },
        CallSample("GET /v1/orgs/acme/decisions/d1/proof", "", "p") {
            same(try await $1.proof(ofDecision: "d1"), "p")
        },
        CallSample("GET /v1/orgs/acme/consents/c1/proof", "", "p") {
            same(try await $1.proof(ofConsent: "c1"), "p")
        },
    ]
}
