package import Identifiers

/// A link of a message, with the index that its tracking IDs contain.
package struct MessageLink: Hashable, Sendable {
    package let index: LinkIndex
    package let target: TargetURL
    /// The place in the message: `link`, `actions/1/link` counted from 0, `html` or `text`.
    package let location: String
    /// The name of the link in reports.
    package let label: String?
    /// Whether recipients with consent get it wrapped.
    package let isTracked: Bool

    package init(index: LinkIndex, target: TargetURL, location: String, label: String?, isTracked: Bool) {
        self.index = index
        self.target = target
        self.location = location
        self.label = label
        self.isTracked = isTracked
    }
}

extension Message {
    /// The index of the message's own link.
    package static let ownLinkIndex = LinkIndex(rawValue: 1)

    /// The index of the link of the action at `position`. It does not depend on the other links.
    package static func linkIndex(ofActionAt position: Int) -> LinkIndex {
        LinkIndex(rawValue: UInt16(position + 2))
    }

    /// Every link of the message in the order of their indexes.
    package var links: [MessageLink] {
        var links: [MessageLink] = []
        if let link {
            links.append(messageLink(Self.ownLinkIndex, link, location: "link", label: linkLabel))
        }
        for (position, action) in actions.enumerated() {
            guard let link = action.link else { continue }
            let index = Self.linkIndex(ofActionAt: position)
            let label = action.label ?? action.id
            links.append(messageLink(index, link, location: "actions/\(position)/link", label: label))
        }
        for (position, link) in mailLinks.enumerated() {
            links.append(
                MessageLink(
                    index: linkIndex(ofMailLinkAt: position), target: link.target, location: link.part.rawValue,
                    label: link.label, isTracked: tracking))
        }
        return links
    }

    private func messageLink(_ index: LinkIndex, _ link: Link, location: String, label: String?) -> MessageLink {
        MessageLink(
            index: index, target: link.target, location: location, label: label, isTracked: tracking && link.isTrackable
        )
    }
}
