public import Foundation

/// The kind of an interaction.
public struct InteractionType: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let linkClicked: InteractionType = "PushLinkClicked"
    public static let notificationClicked: InteractionType = "PushNotificationClicked"
    public static let notificationOpened: InteractionType = "PushNotificationOpened"
    public static let notificationReceived: InteractionType = "PushNotificationReceived"
    public static let messageOpened: InteractionType = "MessageOpened"
}

/// What a recipient did with a message, or a machine did for them.
public struct Interaction: Sendable, Hashable, Decodable {
    /// The link of the message that was followed.
    public struct Link: Sendable, Hashable, Decodable {
        public let index: Int
        public let url: String
        public let label: String?
    }

    public let id: String
    public let type: InteractionType
    public let occurredAt: Date
    public let recordedAt: Date
    /// `nil` once the recipient was erased.
    public let recipient: String?
    /// The message's id.
    public let message: String
    public let link: Link?
    public let action: String?
    /// Such as `redirect`.
    public let source: String
    /// Whether a program caused it: whether ``visitor`` is ``Visitor/machine``. Leave it out of rates.
    public let automated: Bool
    /// Whether it is the recipient's first of its kind with this message.
    public let first: Bool
    /// What caused it, as far as is known.
    public let visitor: Visitor
    /// How the cause is known.
    public let visitorReason: VisitorReason
}

/// Which interactions are asked for; `nil` is any.
public struct InteractionQuery: Sendable, Hashable, Encodable {
    public var recipient: String?
    /// The message's id.
    public var message: String?
    public var type: InteractionType?
    /// The types that belong to this activity. For more interactions than those of a decision about one activity.
    public var activity: TrackedActivity?
    public var visitor: Visitor?
    /// The index of a link of the message.
    public var link: Int?
    /// `true` selects interactions of known programs, `false` all others.
    public var automated: Bool?
    /// `true` selects the first interactions of each recipient with a message, `false` the repeated ones.
    public var first: Bool?
    /// From this moment on.
    public var from: Date?
    /// Before this moment.
    public var to: Date?
    /// After this place: ``InteractionPage/cursor`` of an earlier page.
    public var after: String?
    /// How many seconds, 0 to 30, the service waits for an interaction if there is none yet; `nil` is 0.
    public var wait: Int?

    public init(
        recipient: String? = nil, message: String? = nil, type: InteractionType? = nil,
        activity: TrackedActivity? = nil, visitor: Visitor? = nil, link: Int? = nil, automated: Bool? = nil,
        first: Bool? = nil, from: Date? = nil, to: Date? = nil, after: String? = nil, wait: Int? = nil
    ) {
        self.recipient = recipient
        self.message = message
        self.type = type
        self.activity = activity
        self.visitor = visitor
        self.link = link
        self.automated = automated
        self.first = first
        self.from = from
        self.to = to
        self.after = after
        self.wait = wait
    }
}

/// A page of interactions, in the order in which they were stored.
public struct InteractionPage: Sendable, Hashable, Decodable {
    public let interactions: [Interaction]
    /// The place after the last interaction of the page. Keep it to ask for later interactions.
    public let cursor: String
    /// `nil` if there are no more at present.
    public let next: String?
}
