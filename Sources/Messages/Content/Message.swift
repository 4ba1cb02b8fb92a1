package import Identifiers

/// A backend's message, the same for all recipients: its targets are valid and nothing in it names a recipient.
package struct Message: Sendable {
    /// 1–256 bytes; sends that must be told apart have different names.
    package var name: String
    /// Lists and reports choose it by these; sorted, without duplicates. No payload has them.
    package var tags: [MessageTag]
    package var title: String?
    package var body: String?
    package var imageURL: TargetURL?
    package var link: Link?
    /// The name of the link in reports; only together with one. No payload has it.
    package var linkLabel: String?
    package var actions: [Action]
    package var badge: Int?
    package var sound: String?
    package var category: String?
    package var contentAvailable: Bool
    /// Keys and values that the payload contains, in order of key.
    package var custom: [CustomField]
    /// The mail, as HTML and as text, byte for byte as given.
    package var html: String?
    package var text: String?
    /// The links of the mail that are rewritten, in the order of their indexes. They are found once and stored with the
    /// message: if a later version finds more links, the indexes of links that were sent must not change.
    package var mailLinks: [MailLink]
    /// Whether the HTML contains an image whose request counts as an opening.
    package var openTracking: Bool
    /// `false` makes the message untracked for all recipients.
    package var tracking: Bool
    /// The purposes for which a recipient's consent must be in force, for clicks and for opens.
    package var purposes: MessagePurposes
    /// From this time on its links redirect and record nothing; `nil` for the service's link lifetime.
    package var expiresAt: Timestamp?

    /// Whether its links record nothing at `now`, because ``expiresAt`` has come.
    package func hasEnded(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }

    /// A target and whether an app, not a browser, is to open it.
    package struct Link: Hashable, Sendable {
        package let target: TargetURL
        package let isDeepLink: Bool

        package init(target: TargetURL, isDeepLink: Bool) {
            self.target = target
            self.isDeepLink = isDeepLink
        }

        /// Whether the link can be wrapped: only a browser follows a redirect.
        package var isTrackable: Bool { target.kind == .web && !isDeepLink }
    }

    /// A button of a notification.
    package struct Action: Hashable, Sendable {
        package let id: String
        package let title: String
        package let link: Link?
        /// The name in reports in place of its id. No payload has it.
        package let label: String?

        package init(id: String, title: String, link: Link?, label: String? = nil) {
            self.id = id
            self.title = title
            self.link = link
            self.label = label
        }
    }

    package struct CustomField: Hashable, Sendable {
        package let key: String
        package let value: String

        package init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    package init(name: String) {
        self.name = name
        tags = []
        actions = []
        contentAvailable = false
        custom = []
        mailLinks = []
        openTracking = false
        tracking = true
        purposes = .tracking
    }
}
