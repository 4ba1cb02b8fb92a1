package import Identifiers
package import Messages

/// A page of all messages.
package struct MessagePage: Sendable {
    /// Without messages that cannot be read.
    package let messages: [StoredMessage]
    /// The next page begins behind it; `nil` if there is none.
    package let last: MessageID?

    package init(messages: [StoredMessage], last: MessageID?) {
        self.messages = messages
        self.last = last
    }
}
