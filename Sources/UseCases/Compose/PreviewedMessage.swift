package import Identifiers
package import Messages

/// A message for a preview, which is not sent. It need not be stored.
package struct PreviewedMessage: Sendable {
    package let content: Message
    /// `nil` if it is not stored.
    package let id: MessageID?

    package init(content: Message, id: MessageID?) {
        self.content = content
        self.id = id
    }
}
