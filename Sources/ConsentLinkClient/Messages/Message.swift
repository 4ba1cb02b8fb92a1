public import Foundation

/// What is told to all recipients.
public struct Message: Sendable, Hashable, Codable {
    /// A button of a notification.
    public struct Action: Sendable, Hashable, Codable {
        public var id: String
        public var title: String
        public var link: String?
        /// Whether an app opens the link, which then is not tracked.
        public var deepLink: Bool?
        /// The name of the link in reports. No payload has it.
        public var label: String?

        public init(
            id: String, title: String, link: String? = nil, deepLink: Bool? = nil, label: String? = nil
        ) {
            self.id = id
            self.title = title
            self.link = link
            self.deepLink = deepLink
            self.label = label
        }
    }

    /// The purposes of a message that asks consent for clicks and opens separately; `nil` is `tracking`.
    public struct Purposes: Sendable, Hashable, Codable {
        public var clicks: String?
        public var opens: String?

        public init(clicks: String? = nil, opens: String? = nil) {
            self.clicks = clicks
            self.opens = opens
        }
    }

    /// Sends that must be told apart must have different names.
    public var name: String
    /// Lists and reports choose the message by these; up to 16, in any order. No payload has them.
    public var tags: [String]?
    public var title: String?
    public var body: String?
    public var imageUrl: String?
    /// An absolute URL in ASCII.
    public var link: String?
    /// Whether an app opens the link, which then is not tracked.
    public var deepLink: Bool?
    /// The name of ``link`` in reports. No payload has it.
    public var linkLabel: String?
    public var actions: [Action]?
    public var badge: Int?
    public var sound: String?
    public var category: String?
    public var contentAvailable: Bool?
    public var custom: [String: String]?
    /// A mail's HTML. Its links are found and tracked.
    public var html: String?
    /// A mail's text. Its links are found and tracked.
    public var text: String?
    public var openTracking: Bool?
    /// `false` makes the message untracked for all recipients.
    public var tracking: Bool?
    /// The purpose of clicks and opens; `nil` is `tracking`. Not together with ``purposes``.
    public var purpose: String?
    /// One purpose for clicks and one for opens.
    public var purposes: Purposes?
    /// From this time on its links redirect and record nothing.
    public var expiresAt: Date?

    /// A message with a name, a title, a text and a link. Set the other members afterwards.
    ///
    /// ```swift
    /// var sale = Message(name: "sale-2027", title: "Sale", link: "https://shop.example/sale", tags: ["shop"])
    /// sale.linkLabel = "front page"
    /// ```
    public init(
        name: String, title: String? = nil, body: String? = nil, link: String? = nil, tags: [String]? = nil
    ) {
        self.name = name
        self.tags = tags
        self.title = title
        self.body = body
        self.link = link
    }
}
