package import Consent
package import Identifiers
package import Interactions

/// An event in the state in which it is sent. It is not stored: it is made from its rows, so it has no recipient who
/// was erased meanwhile.
package struct WebhookEvent: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case consent(ConsentFeedItem)
        case messageDisabled(MessageID)
        /// - Parameter last: the greatest position of an interaction of the organization.
        case interactionsAvailable(last: InteractionPosition)
        case endpointFailing(EndpointID, EndpointState)
        case test
    }

    package let content: Content
    /// The time of the commit that the event is about.
    package let instant: Timestamp
    /// The number of an event that has a row of its own; `nil` if the content identifies the event.
    package let number: Int64?

    package init(_ content: Content, at instant: Timestamp, number: Int64? = nil) {
        self.content = content
        self.instant = instant
        self.number = number
    }

    package var kind: EventKind {
        switch content {
        case .consent(let item):
            switch item.content {
            case .recorded: .consentRecorded
            case .erased: .recipientErased
            }
        case .messageDisabled: .messageDisabled
        case .interactionsAvailable: .interactionsAvailable
        case .endpointFailing: .endpointFailing
        case .test: .endpointTest
        }
    }

    /// Differs for every event of the organization, and stays the same however often the event is sent, even if the
    /// database was restored to an earlier state meanwhile.
    package var id: String {
        switch content {
        case .consent(let item): "consents-\(item.position.cursor)"
        case .interactionsAvailable(let last): "interactions-\(last.cursor)"
        case .messageDisabled, .endpointFailing, .test:
            "events-\(number ?? 0).\(String(instant.millisecondsSince1970, radix: 16))"
        }
    }

    /// The position of an event among those of its organization, from its ``id``.
    package enum Position: Hashable, Sendable {
        case consent(ConsentFeedPosition)
        case interactions(InteractionPosition)
        /// The number of an event that has a row of its own.
        case event(Int64)

        /// - Returns: `nil` if the text is not a ``WebhookEvent/id``.
        package init?(of event: String) {
            let parts = event.split(separator: "-", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return nil }
            switch parts[0] {
            case "consents":
                guard let position = try? ConsentFeedPosition.read(cursor: parts[1]) else { return nil }
                self = .consent(position)
            case "interactions":
                guard let position = InteractionPosition(cursor: parts[1]) else { return nil }
                self = .interactions(position)
            case "events":
                guard let number = Int64(parts[1].prefix { $0 != "." }) else { return nil }
                self = .event(number)
            default: return nil
            }
        }
    }
}
