import Identifiers
import Messages

/// A message as its row has it. It can be parsed when the connection that read it is free again.
struct UnparsedMessage: Sendable {
    let id: MessageID
    let organization: OrganizationID
    /// Canonical JSON.
    let content: [UInt8]
    let createdAt: Timestamp
    let isDisabled: Bool
    var addedLinks: [MessageLink] = []

    /// - Throws: ``UnreadableMessageRow``
    func message() throws -> StoredMessage {
        guard let parsed = try? Message(canonicalJSON: content) else {
            throw UnreadableMessageRow(id: Int64(id.rawValue), organization: organization)
        }
        return try message(of: parsed)
    }

    /// The message, which is not parsed if its content is that of a known one.
    /// - Parameter json: the canonical JSON of `known`.
    /// - Throws: ``UnreadableMessageRow``
    func message(parsedAs known: Message, of json: [UInt8]) throws -> StoredMessage {
        try content == json ? message(of: known) : message()
    }

    private func message(of content: Message) throws -> StoredMessage {
        guard content.mayHave(added: addedLinks) else {
            throw UnreadableMessageRow(id: Int64(id.rawValue), organization: organization)
        }
        return StoredMessage(
            id: id, organization: organization, content: content, createdAt: createdAt, isDisabled: isDisabled,
            addedLinks: addedLinks)
    }
}

/// What a short read finds out about a message.
enum MessageLook: Sendable {
    case small(UnparsedMessage)
    /// To read and parse it takes long, so it needs a long read.
    case large(of: OrganizationID)

    /// The greatest length of the content of a small message.
    static let fewBytes = 65_536
    /// The greatest number of links that were added to a small message.
    static let fewLinks = 512

    var organization: OrganizationID {
        switch self {
        case .small(let message): message.organization
        case .large(let organization): organization
        }
    }
}
