package import Consent
package import Identifiers

/// Whether an endpoint gets events, and if not, why not.
package enum EndpointState: String, Hashable, Sendable, CaseIterable {
    case enabled
    /// By its owner.
    case disabled
    /// Nothing but failures came from it for five days, and eight at least.
    case failing
    /// It answered 410.
    case gone
}

/// An address of an organization that events are sent to: a place in the feeds of the organization, and no queue.
///
/// What is sent next is read at the place when it is sent. So an endpoint that is switched off loses nothing, and nothing
/// about a recipient waits anywhere.
package struct Endpoint: Hashable, Sendable {
    package static let maximumCount = 16

    package let id: EndpointID
    package var url: EndpointURL
    package var kinds: Set<EventKind>
    /// Whether events name the recipient that they are about.
    package var includesRecipient: Bool
    package var state: EndpointState
    package let createdAt: Timestamp
    /// Behind what was delivered of the consent feed; `nil` before its first item.
    package var place: ConsentFeedPlace?
    package var progress: DeliveryProgress
    /// Until when deliveries are signed with the secret before the present one as well; `nil` when there is none.
    package var formerSecretUntil: Timestamp?

    package init(
        id: EndpointID, url: EndpointURL, kinds: Set<EventKind>, includesRecipient: Bool, state: EndpointState,
        createdAt: Timestamp, place: ConsentFeedPlace?, progress: DeliveryProgress, formerSecretUntil: Timestamp?
    ) {
        self.id = id
        self.url = url
        self.kinds = kinds
        self.includesRecipient = includesRecipient
        self.state = state
        self.createdAt = createdAt
        self.place = place
        self.progress = progress
        self.formerSecretUntil = formerSecretUntil
    }
}

/// An endpoint that is to be made.
package struct NewEndpoint: Sendable {
    package let url: EndpointURL
    package let kinds: Set<EventKind>
    package let includesRecipient: Bool

    package init(url: EndpointURL, kinds: Set<EventKind>, includesRecipient: Bool) {
        self.url = url
        self.kinds = kinds
        self.includesRecipient = includesRecipient
    }
}

/// What is to be another; `nil` stays as it is.
package struct EndpointChange: Sendable {
    package var url: EndpointURL?
    package var kinds: Set<EventKind>?
    package var includesRecipient: Bool?

    package init(url: EndpointURL? = nil, kinds: Set<EventKind>? = nil, includesRecipient: Bool? = nil) {
        self.url = url
        self.kinds = kinds
        self.includesRecipient = includesRecipient
    }
}
