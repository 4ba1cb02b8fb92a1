import Consent
import Cryptography
import Identifiers
import Interactions
import Messages
import Synchronization
import TestSupport
import Testing
import TrackingIDs

extension OrganizationID {
    static func acme() throws -> OrganizationID { try OrganizationID("acme") }
}

extension RecipientReference {
    static func sample(_ number: UInt64 = 7) throws -> RecipientReference {
        try #require(RecipientReference(rawValue: number))
    }
}

extension MessageID {
    static func sample(_ number: UInt64 = 1) throws -> MessageID { try #require(MessageID(rawValue: number)) }
}

extension StoredMessage {
    static let target = "https://shop.example/spring?a=b%2Fc&d=%20+e#top"

    /// A message of acme's with a link, a deep link as its first button and a link as its second: 1, 2 and 3.
    static func sample(
        _ number: UInt64 = 1, target: String = target, purpose: Purpose = .tracking,
        purposes: MessagePurposes? = nil, tracking: Bool = true, opens: Bool = false, isDisabled: Bool = false,
        addedLinks: [MessageLink] = []
    ) throws -> StoredMessage {
        var content = Message(name: "n\(number)")
        content.link = Message.Link(target: try TargetURL(stored: target), isDeepLink: false)
        content.actions = [
            Message.Action(
                id: "open", title: "Open",
                link: Message.Link(target: try TargetURL(stored: "https://shop.example/app"), isDeepLink: true)),
            Message.Action(
                id: "buy", title: "Buy",
                link: Message.Link(target: try TargetURL(stored: "https://shop.example/buy"), isDeepLink: false)),
        ]
        content.purposes = purposes ?? MessagePurposes(both: purpose)
        content.tracking = tracking
        content.openTracking = opens
        return StoredMessage(
            id: try .sample(number), organization: try .acme(), content: content, createdAt: .noon,
            isDisabled: isDisabled, addedLinks: addedLinks)
    }
}

extension Occurrence {
    static func click(
        by recipient: UInt64 = 7, on message: UInt64 = 1, at instant: Timestamp = .noon
    ) throws -> Occurrence {
        Occurrence(
            kind: .pushLinkClicked, source: .redirect, occurredAt: instant, message: try .sample(message),
            recipient: try .sample(recipient), link: Message.ownLinkIndex, visitor: .browserAgent)
    }
}

extension KeyRing {
    /// A ring whose keys were made one after the other; the last one signs.
    static func sample(keys ids: [UInt8] = [1]) throws -> KeyRing {
        try KeyRing(
            keys: ids.map { id in
                KeyRing.Key(
                    id: id, secret: SecretBytes([UInt8](repeating: id, count: 32)), createdAt: .noon,
                    signedUntil: id == ids.last ? nil : .noon)
            })
    }

    func token(
        message: UInt64 = 1, recipient: UInt64 = 7, link: UInt16 = 1, expires: UInt32 = 1_811_030_400
    ) throws -> String {
        try TrackingIDSealer(keyRing: self).seal(
            TrackingID(
                message: .sample(message), recipient: .sample(recipient), link: LinkIndex(rawValue: link),
                expiry: LinkExpiry(secondsSince1970: expires)))
    }
}
