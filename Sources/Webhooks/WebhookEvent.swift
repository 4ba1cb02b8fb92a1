package import Consent
package import Identifiers
package import Interactions

/// An event as it is at the moment at which it is sent. Nothing of it is stored: it is made from the rows that it is
/// about, so a recipient who was erased meanwhile is not in it.
package struct WebhookEvent: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case consent(ConsentFeedItem)
        case messageDisabled(MessageID)
        /// - Parameter last: the greatest position of the organization.
        case interactionsAvailable(last: InteractionPosition)
        case endpointFailing(EndpointID, EndpointState)
        case test
    }

    package let content: Content
    /// When what it tells was committed.
    package let instant: Timestamp
    /// The number of an event that has a row of its own; `nil` where the content says which it is.
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

    /// What tells it from every other event of its organization, however often it is sent, also when the database was put
    /// back to an earlier state meanwhile.
    package var id: String {
        switch content {
        case .consent(let item): "consents-\(item.place.cursor)"
        case .interactionsAvailable(let last): "interactions-p\(last)"
        case .messageDisabled, .endpointFailing, .test:
            "events-\(number ?? 0).\(String(instant.millisecondsSince1970, radix: 16))"
        }
    }

    /// Where an event stands among those of its organization, as its ``id`` says.
    package enum Place: Hashable, Sendable {
        case consent(ConsentFeedPlace)
        case interactions(InteractionPosition)
        /// The number of an event that has a row of its own.
        case event(Int64)

        /// - Returns: `nil` for what is no ``WebhookEvent/id``.
        package init?(of event: String) {
            let parts = event.split(separator: "-", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return nil }
            switch parts[0] {
            case "consents":
                guard let place = try? ConsentFeedPlace.read(cursor: parts[1]) else { return nil }
                self = .consent(place)
            case "interactions":
                guard parts[1].first == "p", let position = try? InteractionPosition(String(parts[1].dropFirst()))
                else {
                    return nil
                }
                self = .interactions(position)
            case "events":
                guard let number = Int64(parts[1].prefix { $0 != "." }) else { return nil }
                self = .event(number)
            default: return nil
            }
        }
    }
}
