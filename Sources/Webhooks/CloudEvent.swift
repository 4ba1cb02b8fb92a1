import Consent
package import Identifiers
import Interactions
import JSON

/// An event in the structured JSON format of CloudEvents 1.0: the body of a delivery (`docs/formats/events.md`).
///
/// It has the id of a recipient only if its endpoint asked for it, and never evidence.
package struct CloudEvent: Sendable {
    package static let mediaType = "application/cloudevents+json"

    private let event: WebhookEvent
    private let organization: OrganizationID
    private let includesRecipient: Bool

    package init(_ event: WebhookEvent, of organization: OrganizationID, includesRecipient: Bool) {
        self.event = event
        self.organization = organization
        self.includesRecipient = includesRecipient
    }

    package var body: [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.object { writer in
            writer.member("specversion", "1.0")
            writer.member("id", event.id)
            writer.member("source", "/v1/orgs/\(organization)")
            writer.member("type", "consentlink.\(event.kind.rawValue)")
            if let subject { writer.member("subject", subject) }
            writer.member("time", event.instant.rfc3339)
            writer.member("datacontenttype", "application/json")
            writer.key("data")
            writer.object(data)
        }
        return writer.bytes
    }

    /// The id of the subject of the event.
    private var subject: String? {
        switch event.content {
        case .consent(let item):
            switch item.content {
            case .recorded(let record, _): record.id.description
            case .erased: nil
            }
        case .messageDisabled(let message): message.description
        case .endpointFailing(let endpoint, _): endpoint.description
        case .interactionsAvailable, .test: nil
        }
    }

    private func data(_ writer: inout JSONWriter) {
        switch event.content {
        case .consent(let item):
            writer.member("cursor", item.position.cursor)
            switch item.content {
            case .recorded(let record, let recipient): members(of: record, about: recipient, &writer)
            case .erased(_, let erasure):
                writer.member("consents", erasure.consents)
                writer.member("decisions", erasure.decisions)
                writer.member("interactions", erasure.interactions)
            }
        case .messageDisabled(let message): writer.member("message", message.description)
        case .interactionsAvailable(let last): writer.member("cursor", last.cursor)
        case .endpointFailing(let endpoint, let state):
            writer.member("endpoint", endpoint.description)
            writer.member("state", state.rawValue)
        case .test: break
        }
    }

    private func members(of record: ConsentRecord, about recipient: RecipientID?, _ writer: inout JSONWriter) {
        writer.member("id", record.id.description)
        if includesRecipient { writer.member("recipient", recipient?.text) }
        writer.member("purpose", record.purpose.description)
        writer.member("state", record.state.rawValue)
        writer.member("occurredAt", record.occurredAt.rfc3339)
        writer.member("recordedAt", record.recordedAt.rfc3339)
        writer.member("validUntil", record.validUntil?.rfc3339)
    }
}
