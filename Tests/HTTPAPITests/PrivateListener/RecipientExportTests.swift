import Consent
import HTTPTypes
import Identifiers
import TestSupport
import Testing

@testable import HTTPAPI

/// Everything that is held about a recipient.
@Suite struct RecipientExportTests {
    private static let path = "/v1/orgs/acme/recipients/export"
    private static let ana = #"{"recipient":"Ana@Example.com"}"#

    /// Gives `body` a listener that knows three consent records of ana's, of which the one for offers has run out.
    private func with(_ body: (PrivateListenerFixture, [String]) async throws -> Void) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let made = try await listener.post(
                "/v1/orgs/acme/consents",
                #"[{"recipient":"ana@example.com","state":"refused","occurredAt":"2026-11-01T00:00:00Z","#
                    + #""evidence":{"actor":"support"}},"#
                    + #"{"recipient":"ana@example.com","state":"given","purpose":"offers","#
                    + #""occurredAt":"2026-11-02T00:00:00Z","validUntil":"2026-11-22T12:00:01Z"},"#
                    + #"{"recipient":"ana@example.com","state":"given","evidence":{"method":"form","source":"app","#
                    + #""notice":{"id":"n","version":"3","language":"en","sha256":"9f86"},"actor":"subject"}}]"#)
            listener.time.advance(byMilliseconds: 1000)
            try await body(listener, (made["consents"]?.items ?? []).map { $0["id"]?.text ?? "" })
        }
    }

    @Test("it has the history, what is in force, decisions and interactions, under the name that was recorded first")
    func json() async throws {
        try await with { listener, ids in
            let composed = try await listener.compose(["ana@example.com"])
            let answer = try await listener.post(Self.path, Self.ana)
            #expect(answer.status == 200 && answer.headers[.contentType] == "application/json")
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(
                answer.body.hasPrefix(
                    #"{"recipient":"ana@example.com","organization":{"id":"acme","name":"acme","#
                        + #""enforcement":"restrictive"},"exportedAt":"2026-11-22T12:00:01.000Z","history":["#
                        + #"{"id":"\#(ids[0])","recipient":"ana@example.com","purpose":"tracking","state":"refused","#
                        + #""occurredAt":"2026-11-01T00:00:00.000Z","recordedAt":"2026-11-22T12:00:00.000Z","#
                        + #""validUntil":null,"evidence":{"actor":"support"}},"#))
            #expect(
                answer["current"]?.text
                    == #"[{"purpose":"offers","state":"expired","since":"2026-11-02T00:00:00.000Z","#
                    + #""validUntil":"2026-11-22T12:00:01.000Z","consent":"\#(ids[1])"},"#
                    + #"{"purpose":"tracking","state":"given","since":"2026-11-22T12:00:00.000Z","#
                    + #""validUntil":null,"consent":"\#(ids[2])"}]"#)
            #expect(answer["history"]?.items.count == 3)
            let decision = composed["payloads"]?.items.first?["decision"]?["id"]
            #expect(answer["decisions"]?.items.map { $0["id"] } == [decision])
            #expect(answer["interactions"]?.items == [])
        }
    }

    @Test("it has what the recipient was asked for, and no link, with which any client could answer")
    func requests() async throws {
        try await with { listener, _ in
            let path = "/v1/orgs/acme/consent-requests"
            let notice = #"{"id":"n","version":"3","language":"en","text":"May we?"}"#
            let made = try await listener.post(
                path, #"{"recipient":"cy","purposes":["tracking","offers"],"notice":\#(notice),"confirm":true}"#)
            #expect(made.status == 201)
            let reader = try await listener.key("read")
            let read = try await listener.get("\(path)/\(made["id"]?.text ?? "")", key: reader)
            let answer = try await listener.post(Self.path, #"{"recipient":"cy"}"#)
            #expect(answer["consentRequests"]?.text == "[\(read.body)]")
            #expect(!answer.body.contains("/c/"))
            #expect(try await listener.post(Self.path, Self.ana)["consentRequests"]?.items == [])
        }
    }

    @Test("as JSON-LD it says the same in the words of the Data Privacy Vocabulary")
    func jsonLD() async throws {
        try await with { listener, ids in
            let answer = try await listener.post(Self.path, Self.ana, headers: [.accept: "application/ld+json"])
            #expect(answer.headers[.contentType] == "application/ld+json")
            #expect(answer["@context", "dpv:isIndicatedAtTime"]?.text == #"{"@type":"xsd:dateTime"}"#)
            let graph = (answer["@graph"]?.items ?? []).map(\.text)
            let party = #""dpv:hasDataSubject":{"@id":"_:subject"},"dpv:hasDataController":{"@id":"_:controller"},"#
            func head(_ id: String, _ purpose: String) -> String {
                #"{"@type":"dpv:ConsentRecord","dct:identifier":"\#(id)","dct:created":"2026-11-22T12:00:00.000Z","#
                    + party + #""dpv:hasPurpose":{"@type":"dpv:Purpose","dct:identifier":"\#(purpose)"},"#
            }
            #expect(
                graph == [
                    #"{"@id":"_:controller","@type":["dpv:Organisation","dpv:DataController"],"#
                        + #""dct:identifier":"acme","dpv:hasName":"acme"}"#,
                    #"{"@id":"_:subject","@type":"dpv:DataSubject","dct:identifier":"ana@example.com"}"#,
                    head(ids[0], "tracking") + #""dpv:hasConsentStatus":[{"@type":"dpv:ConsentRefused","#
                        + #""dpv:isIndicatedAtTime":"2026-11-01T00:00:00.000Z","#
                        + #""dpv:isIndicatedBy":{"@type":"dpv:Entity","dct:description":"support"}}]}"#,
                    head(ids[2], "tracking") + #""dct:source":"app","dpv:hasNotice":{"@type":"dpv:ConsentNotice","#
                        + #""dct:identifier":"n","schema:version":"3","dct:language":"en","schema:sha256":"9f86"},"#
                        + #""dpv:hasConsentStatus":[{"@type":"dpv:ConsentGiven","#
                        + #""dpv:isIndicatedAtTime":"2026-11-22T12:00:00.000Z","dpv:hasIndicationMethod":"form","#
                        + #""dpv:isIndicatedBy":{"@id":"_:subject"},"dpv:hasDuration":{"@type":"dpv:EndlessDuration"}}]}"#,
                    head(ids[1], "offers") + #""dpv:hasConsentStatus":[{"@type":"dpv:ConsentGiven","#
                        + #""dpv:isIndicatedAtTime":"2026-11-02T00:00:00.000Z","#
                        + #""dpv:hasDuration":{"@type":"dpv:UntilTimeDuration","rdf:value":"2026-11-22T12:00:01.000Z"}},"#
                        + #"{"@type":"dpv:ConsentExpired","dct:date":"2026-11-22T12:00:01.000Z"}]}"#,
                ])
        }
    }

    @Test(
        "where nothing is held, neither form says that there is such a recipient",
        arguments: ["application/json", "application/ld+json"])
    func nothing(_ type: String) async throws {
        try await with { listener, _ in
            let answer = try await listener.post(Self.path, #"{"recipient":"bo"}"#, headers: [.accept: type])
            #expect(answer.status == 200)
            if type == "application/json" {
                #expect(answer["history"]?.items == [] && answer["current"]?.items == [])
            } else {
                #expect(answer["@graph"]?.items.count == 1 && !answer.body.contains("bo\""))
            }
        }
    }

    @Test("a long history is written whole, though the key is asked for again with each part")
    func long() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let records = (0..<2001).map { _ in #"{"recipient":"ana","state":"given"}"# }.joined(separator: ",")
            #expect(try await listener.post("/v1/orgs/acme/consents", "[\(records)]").status == 201)
            let key = try await listener.key("read")
            let answer = try await listener.post(Self.path, #"{"recipient":"ana"}"#, key: key)
            let ids = (answer["history"]?.items ?? []).map { $0["id"]?.text ?? "" }
            #expect(Set(ids).count == 2001 && ids == ids.sorted())
        }
    }
}
