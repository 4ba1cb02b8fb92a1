import ASCII
package import Identifiers
import JSON

/// A link of a mail's HTML or text, as it is stored. Every place in the body with the same URL and the same label is
/// this link.
package struct MailLink: Hashable, Sendable {
    let part: BodyLink.Part
    package let target: TargetURL
    private let comparedLabel: ComparedByBytes?

    var label: String? { comparedLabel?.wrappedValue }

    package init(part: BodyLink.Part, target: TargetURL, label: String?) {
        self.part = part
        self.target = target
        comparedLabel = label.map(ComparedByBytes.init(_:))
    }

    static var storedShape: JSONShape<MailLink> {
        .object { fields throws(BodyProblems) in
            let part = fields.required("place", JSONShape<BodyLink.Part>.choice)
            let target = fields.required("url", .string(TargetURL.init(stored:)))
            let label = fields.optional("label", .string)
            try fields.finish()
            return MailLink(part: try part.get(), target: try target.get(), label: label)
        }
    }
}

extension Message {
    /// The first index of the mail's links: after those of the link and the actions, if there are any.
    var firstMailLinkIndex: Int { link == nil && actions.isEmpty ? 1 : actions.count + 2 }

    func linkIndex(ofMailLinkAt position: Int) -> LinkIndex {
        LinkIndex(rawValue: UInt16(firstMailLinkIndex + position))
    }

    /// How many links its mail may have in addition to the others.
    var maximumMailLinks: Int { MessageBody.maximumLinks - firstMailLinkIndex + 1 }

    /// The index of each link of its mail.
    package var mailLinkIndexes: [MailLink: LinkIndex] {
        var indexes: [MailLink: LinkIndex] = [:]
        indexes.reserveCapacity(mailLinks.count)
        for (position, link) in mailLinks.enumerated() { indexes[link] = linkIndex(ofMailLinkAt: position) }
        return indexes
    }
}

extension BodyLink {
    /// The link as the message has it; `nil` if it is not rewritten.
    package var mailLink: MailLink? {
        target.map { MailLink(part: part, target: $0, label: label) }
    }
}

extension ObjectReader {
    /// Finds the links in the mail of `message`; refuses a body that cannot be searched for links.
    mutating func mailLinks(
        of message: Message, target: @escaping (String) throws(TargetURLError) -> TargetURL
    ) -> [MailLink] {
        var links: [MailLink] = []
        var known: Set<MailLink> = []
        for (member, text, part) in [("html", message.html, BodyLink.Part.html), ("text", message.text, .text)] {
            guard let text else { continue }
            do throws(BodyError) {
                let body = try MessageBody(text, part, target: target)
                if let fault = body.placeholderFault { refuse(member, fault.description) }
                let found = body.links.compactMap(\.mailLink)
                links += found.filter { known.insert($0).inserted }
                guard links.count <= message.maximumMailLinks else { throw .tooManyLinks }
            } catch {
                refuse(member, error.description)
            }
        }
        return links
    }
}
