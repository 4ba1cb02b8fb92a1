package import Identifiers

/// A message in a list: everything except its content.
package struct MessageSummary: Hashable, Sendable {
    package let id: MessageID
    package let name: String
    /// In order.
    package let tags: [MessageTag]
    package let purposes: MessagePurposes
    package let createdAt: Timestamp
    package let expiresAt: Timestamp?
    package let isDisabled: Bool

    package init(
        id: MessageID, name: String, tags: [MessageTag], purposes: MessagePurposes, createdAt: Timestamp,
        expiresAt: Timestamp?, isDisabled: Bool
    ) {
        self.id = id
        self.name = name
        self.tags = tags
        self.purposes = purposes
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.isDisabled = isDisabled
    }
}

/// A filter for messages. A member that is `nil` accepts all.
package struct MessageQuery: Hashable, Sendable {
    package var name: MessageNamePrefix?
    package var tag: MessageTag?
    /// The earliest time of creation, included.
    package var from: Timestamp?
    /// The latest time of creation, not included.
    package var to: Timestamp?
    /// The last message that the reader has.
    package var after: MessageID?

    package init(
        name: MessageNamePrefix? = nil, tag: MessageTag? = nil, from: Timestamp? = nil, to: Timestamp? = nil,
        after: MessageID? = nil
    ) {
        self.name = name
        self.tag = tag
        self.from = from
        self.to = to
        self.after = after
    }
}

/// The beginning of the names to find, byte for byte: 1–256 bytes.
package struct MessageNamePrefix: Hashable, Sendable {
    /// In bytes of UTF-8.
    static let allowedLength = 1...256

    package let bytes: [UInt8]

    package init(_ text: String) throws(MessageNamePrefixError) {
        bytes = Array(text.utf8)
        guard Self.allowedLength.contains(bytes.count) else { throw MessageNamePrefixError() }
    }
}

/// The text is too short or too long for a prefix. The description follows the name of the parameter.
package struct MessageNamePrefixError: Error, CustomStringConvertible {
    package var description: String {
        let length = MessageNamePrefix.allowedLength
        return "must be \(length.lowerBound) to \(length.upperBound) bytes of UTF-8"
    }
}
