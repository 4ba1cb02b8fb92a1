package import Consent
package import Identifiers

/// Whether an endpoint gets events, and if not, why not.
package enum EndpointState: String, Hashable, Sendable, CaseIterable {
    case enabled
    /// Its owner has disabled it.
    case disabled
    /// All attempts of five days failed, and there were at least eleven.
    case failing
    /// It answered 410.
    case gone
}

/// An address of an organization that events are sent to, with its positions in the feeds of the organization. It has
/// no queue.
///
/// The next event is read at the position when it is sent. So a disabled endpoint misses no event, and no data about a
/// recipient waits anywhere.
package struct Endpoint: Hashable, Sendable {
    /// The greatest number of endpoints of an organization.
    package static let maximumCount = 16

    package let id: EndpointID
    package var url: EndpointURL
    package var kinds: Set<EventKind>
    /// Whether events name the recipient that they are about.
    package var includesRecipient: Bool
    package var state: EndpointState
    package let createdAt: Timestamp
    /// The position behind the last delivered item of the consent feed; `nil` before its first item.
    package var position: ConsentFeedPosition?
    package var progress: DeliveryProgress
    /// Until when deliveries are also signed with the previous secret; `nil` if there is none.
    package var formerSecretUntil: Timestamp?

    package init(
        id: EndpointID, url: EndpointURL, kinds: Set<EventKind>, includesRecipient: Bool, state: EndpointState,
        createdAt: Timestamp, position: ConsentFeedPosition?, progress: DeliveryProgress, formerSecretUntil: Timestamp?
    ) {
        self.id = id
        self.url = url
        self.kinds = kinds
        self.includesRecipient = includesRecipient
        self.state = state
        self.createdAt = createdAt
        self.position = position
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

/// A change of an endpoint; `nil` leaves a value unchanged.
package struct EndpointChange: Sendable {
    package var url: EndpointURL?
    package var kinds: Set<EventKind>?
    package var includesRecipient: Bool?

    package init(url: EndpointURL? = nil, kinds: Set<EventKind>? = nil, includesRecipient: Bool? = nil) {
        self.url = url
        self.kinds = kinds
        self.includesRecipient = includesRecipient
    }

    /// Whether the change has recipients sent to another place, or in other events, than before: the endpoint includes
    /// them afterwards, and the change names its URL, its kinds or what is included.
    package func sendsRecipients(from endpoint: Endpoint) -> Bool {
        (includesRecipient ?? endpoint.includesRecipient)
            && (url != nil || kinds != nil || includesRecipient != nil)
    }
}
