import Foundation
import JSON
import Testing

@testable import ConsentLinkClient

@Suite struct WireCodingTests {
    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try WireCoding.encode(value), as: UTF8.self)
    }

    @Test("a request has its members in one order, without those that are not set, and no escaped slash")
    func request() throws {
        var message = Message(name: "sale", link: "https://shop.example/")
        message.custom = ["b": "2", "a": "1", "c": "3"]
        message.expiresAt = Date(timeIntervalSince1970: 0)
        #expect(
            try text(message)
                == #"{"custom":{"a":"1","b":"2","c":"3"},"expiresAt":"1970-01-01T00:00:00.000Z","#
                + #""link":"https://shop.example/","name":"sale"}"#)
        #expect(try text(NewConsent(recipient: "ana", state: .given)) == #"{"recipient":"ana","state":"given"}"#)
    }

    @Test("a page's request is the query with its place and its size")
    func page() throws {
        let page = PageRequest(query: DecisionQuery(outcome: .tracked), after: "c", limit: 7)
        #expect(try text(page) == #"{"after":"c","limit":7,"outcome":"tracked"}"#)
    }

    @Test("an order is a message or the id of one")
    func order() throws {
        let made = PayloadOrder(Message(name: "sale"), format: .bird, platform: .ios)
        #expect(try text(made) == #"{"format":"bird","message":{"name":"sale"},"platform":"ios"}"#)
        let stored = PayloadRequest(order: PayloadOrder(.stored("m1"), format: .plain), recipients: ["ana"])
        #expect(try text(stored) == #"{"format":"plain","messageId":"m1","recipients":["ana"]}"#)
    }

    @Test("members and words that a later service has do no harm")
    func later() throws {
        let key = try WireCoding.decode(
            APIKey.self, from: Array(#"{"id":"1","name":"n","scopes":["read","fly"],"colour":"red"}"#.utf8))
        #expect(key.scopes == [.read, "fly"])
        #expect("\(key.scopes)" == "[read, fly]")
    }

    @Test(
        "an answer that is not as expected is told by its place, and never by what stands there",
        arguments: [
            (#"{"recipient":"ana@example.com"}"#, "RecordedConsent: /id is missing"),
            (
                #"{"id":"1","recipient":"ana@example.com","purpose":"t","state":"given","occurredAt":"ana@example.com"}"#,
                "RecordedConsent: /occurredAt is of another kind"
            ),
            (#"{"id":7,"recipient":"ana@example.com"}"#, "RecordedConsent: /id is of another kind"),
            ("ana@example.com", "RecordedConsent: / is of another kind"),
        ])
    func unexpected(_ json: String, _ text: String) throws {
        let error = try #require(throws: ConsentLinkError.self) {
            try WireCoding.decode(RecordedConsent.self, from: Array(json.utf8))
        }
        #expect(error == .unexpectedAnswer(text))
        #expect(!error.description.contains("ana"))
    }

    @Test(
        "for how long things are kept is days or for ever, as the service writes it now or before",
        arguments: [("7", RetentionPeriod.days(7)), ("null", .forever), (#""forever""#, .forever)])
    func retention(_ json: String, _ period: RetentionPeriod) throws {
        let retention = try WireCoding.decode(
            Retention.self, from: Array(#"{"interactionsDays":\#(json),"decisionsDays":1}"#.utf8))
        #expect(retention == Retention(interactions: period, decisions: .days(1)))
        #expect(
            try text(Retention(interactions: .forever, decisions: .days(1)))
                == #"{"decisionsDays":1,"interactionsDays":"forever"}"#)
    }

    @Test("another word is no period", arguments: [#""always""#, "{}", "1.5"])
    func noRetention(_ json: String) {
        #expect(throws: ConsentLinkError.self) {
            try WireCoding.decode(
                Retention.self, from: Array(#"{"interactionsDays":\#(json),"decisionsDays":1}"#.utf8))
        }
    }

    @Test("a document keeps the order of its members and the digits of its numbers")
    func document() throws {
        let document = try JSONDocument(parsing: Array(#"{ "b":1.50, "a":[12345678901234567890] }"#.utf8))
        #expect(document.text == #"{"b":1.50,"a":[12345678901234567890]}"#)
        struct Part: Decodable { let b: Double }
        #expect(try document.decoded(as: Part.self).b == 1.5)
        #expect(throws: ConsentLinkError.self) { try JSONDocument(parsing: Array(#"{"a":"#.utf8)) }
    }
}
