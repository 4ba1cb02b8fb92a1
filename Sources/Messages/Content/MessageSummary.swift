package import Identifiers

/// What a list shows of a message: all but what it says.
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

/// Which messages are asked for. A filter that is `nil` lets everything through.
package struct MessageQuery: Hashable, Sendable {
    package var name: MessageNamePrefix?
    package var tag: MessageTag?
    /// When it was created; included.
    package var from: Timestamp?
    /// Not included.
    package var to: Timestamp?
    /// The last one that the reader has.
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

/// How names begin that are asked for, byte for byte: 1–256 bytes.
package struct MessageNamePrefix: Hashable, Sendable {
    /// In bytes of UTF-8.
    package static let allowedLength = 1...256

    package let bytes: [UInt8]

    package init(_ text: String) throws(MessageNamePrefixError) {
        bytes = Array(text.utf8)
        guard Self.allowedLength.contains(bytes.count) else { throw MessageNamePrefixError() }
    }
}

package struct MessageNamePrefixError: Error, CustomStringConvertible {
    package var description: String {
        let length = MessageNamePrefix.allowedLength
        return "must be \(length.lowerBound) to \(length.upperBound) bytes of UTF-8"
    }
}
