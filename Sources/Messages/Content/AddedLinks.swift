package import Identifiers

extension StoredMessage {
    /// Every link of the message in the order of their indexes.
    package var links: [MessageLink] { content.links + addedLinks }
}

extension Message {
    /// The first index of added links: after those of its content.
    private var firstAddedLinkIndex: Int { firstMailLinkIndex + mailLinks.count }

    var maximumAddedLinks: Int { MessageBody.maximumLinks - firstAddedLinkIndex + 1 }

    /// How many links were added up to the one with the index `last`: the indexes have no gaps.
    package func addedLinkCount(through last: LinkIndex?) -> Int {
        last.map { Int($0.rawValue) - firstAddedLinkIndex + 1 } ?? 0
    }

    /// The index of the link that is added after `count` others; `nil` if tracking IDs have no index left.
    package func linkIndex(afterAdding count: Int) -> LinkIndex? {
        guard count < maximumAddedLinks else { return nil }
        return LinkIndex(rawValue: UInt16(firstAddedLinkIndex + count))
    }
}

extension Sequence<MessageLink> {
    /// The link that leads to each target through the redirect; if there are several, the one with the lowest index.
    package var trackedByTarget: [TargetURL: MessageLink] {
        var links: [TargetURL: MessageLink] = [:]
        for link in self where link.isTracked && links[link.target] == nil { links[link.target] = link }
        return links
    }
}

extension MailLink {
    /// The link as a link that was added to a message.
    package func added(at index: LinkIndex) -> MessageLink {
        MessageLink(index: index, target: target, location: part.rawValue, label: label, isTracked: true)
    }
}
