package import Identifiers

/// A link of a message, under the index that its tracking IDs carry.
package struct MessageLink: Hashable, Sendable {
    package let index: LinkIndex
    package let target: TargetURL
    /// Where in the message it stands: `link`, `actions/1/link` counted from 0, `html` or `text`.
    package let place: String
    /// What a report calls it.
    package let label: String?
    /// Whether recipients with consent get it wrapped.
    package let isTracked: Bool

    package init(index: LinkIndex, target: TargetURL, place: String, label: String?, isTracked: Bool) {
        self.index = index
        self.target = target
        self.place = place
        self.label = label
        self.isTracked = isTracked
    }
}

extension Message {
    /// The index of the message's own link.
    package static let ownLinkIndex = LinkIndex(rawValue: 1)

    /// The index of the link of the action at `position`. It does not depend on which other links there are.
    package static func linkIndex(ofActionAt position: Int) -> LinkIndex {
        LinkIndex(rawValue: UInt16(position + 2))
    }

    /// Every link of the message in the order of their indexes.
    package var links: [MessageLink] {
        var links: [MessageLink] = []
        if let link {
            links.append(messageLink(Self.ownLinkIndex, link, place: "link", label: nil))
        }
        for (position, action) in actions.enumerated() {
            guard let link = action.link else { continue }
            let index = Self.linkIndex(ofActionAt: position)
            links.append(messageLink(index, link, place: "actions/\(position)/link", label: action.id))
        }
        for (position, link) in mailLinks.enumerated() {
            links.append(
                MessageLink(
                    index: linkIndex(ofMailLinkAt: position), target: link.target, place: link.part.rawValue,
                    label: link.label, isTracked: tracking))
        }
        return links
    }

    private func messageLink(_ index: LinkIndex, _ link: Link, place: String, label: String?) -> MessageLink {
        MessageLink(
            index: index, target: link.target, place: place, label: label, isTracked: tracking && link.isTrackable)
    }
}
