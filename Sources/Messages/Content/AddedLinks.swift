package import Identifiers

extension StoredMessage {
    /// Every link of the message in the order of their indexes.
    package var links: [MessageLink] { content.links + addedLinks }
}

extension Message {
    /// The indexes that added links may have: those behind the links of its content.
    package var addedLinkIndexes: Range<Int> {
        let first = firstMailLinkIndex + mailLinks.count
        return first..<max(first, MessageBody.maximumLinks + 1)
    }

    /// Whether each of the links has an index that added links may have.
    package func mayHave(added links: [MessageLink]) -> Bool {
        let indexes = addedLinkIndexes
        return links.allSatisfy { indexes.contains(Int($0.index.rawValue)) }
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
