import Consent
import Foundation
import Identifiers
import Interactions
import JSON
import TestSupport
import Testing

@testable import Webhooks

/// Bodies of deliveries.
@Suite struct CloudEventTests {
    private static func record() throws -> ConsentRecord {
        ConsentRecord(
            id: ConsentRecordID(try TimeOrderedNumber("3440a67a37cb65a7")), purpose: .tracking, state: .withdrawn,
            occurredAt: .noon, recordedAt: .noon, validUntil: nil,
            evidence: ConsentEvidence(method: "withdrawal-page", source: "https://ana.example"))
    }

    private static func event(_ content: WebhookEvent.Content, number: Int64? = nil) -> WebhookEvent {
        WebhookEvent(content, at: .noon, number: number)
    }

    private static func events() throws -> [String: WebhookEvent] {
        let ana = try RecipientID("ana@example.com")
        func item(_ content: ConsentFeedItem.Content) -> WebhookEvent.Content {
            .consent(ConsentFeedItem(position: .entry(12, mark: content.mark), content: content))
        }
        let number = try TimeOrderedNumber("3440a67a38c8cf5c")
        return [
            "consent": event(item(.recorded(try record(), recipient: ana))),
            "consent of an erased recipient": event(item(.recorded(try record(), recipient: nil))),
            "erasure": event(item(.erased(at: .noon, ErasureCounts(consents: 2, decisions: 4, interactions: 1)))),
            "message": event(.messageDisabled(MessageID(number)), number: 7),
            "interactions": event(.interactionsAvailable(last: InteractionPosition(number))),
            "endpoint": event(.endpointFailing(EndpointID(number), .gone), number: 8),
            "test": event(.test, number: 9),
        ]
    }

    @Test("the id of every event says where it stands, and nothing else does")
    func places() throws {
        let number = try TimeOrderedNumber("3440a67a38c8cf5c")
        for (name, event) in try Self.events() {
            let expected: WebhookEvent.Position =
                switch event.content {
                case .consent(let item): .consent(item.position)
                case .interactionsAvailable: .interactions(InteractionPosition(number))
                case .messageDisabled, .endpointFailing, .test: .event(try #require(event.number))
                }
            #expect(WebhookEvent.Position(of: event.id) == expected, "\(name)")
        }
        for other in [
            "", "events", "events-", "events-x.1", "consents-", "consents-x", "interactions-", "interactions-x1",
            "interactions-p", "other-1",
        ] {
            #expect(WebhookEvent.Position(of: other) == nil, "\(other)")
        }
    }

    private struct Vector: Decodable {
        let event: String
        let includesRecipient: Bool
        let body: String
    }

    @Test("every event is the body that the vectors have, byte for byte")
    func vectors() throws {
        let url = try #require(Bundle.module.url(forResource: "Vectors/events", withExtension: "json"))
        let vectors = try JSONDecoder().decode([Vector].self, from: Data(contentsOf: url))
        let events = try Self.events()
        #expect(Set(vectors.map(\.event)) == Set(events.keys))
        for vector in vectors {
            let event = try #require(events[vector.event])
            let body = CloudEvent(
                event, of: try OrganizationID("acme"), includesRecipient: vector.includesRecipient
            ).body
            #expect(String(decoding: body, as: UTF8.self) == vector.body)
        }
    }

    @Test("no event has evidence, and none names a recipient unless its endpoint asked for it")
    func nothingPersonal() throws {
        for (_, event) in try Self.events() {
            let body = CloudEvent(event, of: try OrganizationID("acme"), includesRecipient: false).body
            let text = String(decoding: body, as: UTF8.self)
            #expect(!text.contains("ana") && !text.contains("recipient\":") && !text.contains("evidence"))
        }
    }
}
