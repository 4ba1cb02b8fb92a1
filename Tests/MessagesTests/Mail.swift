import Identifiers
import Messages

/// Rewrites a body as a message with nothing but it would, each tracking ID spelt as the index of its link.
struct Mail {
    static let origin = "https://links.example"

    let body: MessageBody
    private let indexes: [MailLink: LinkIndex]
    private let pages: PreferencesPages

    init(_ text: String, _ place: BodyLink.Part) throws {
        let origin = try PublicOrigin(Self.origin)
        let rules = TargetRules(ownOrigin: origin)
        pages = PreferencesPages(origin: origin, organization: try OrganizationID("acme"))
        body = try MessageBody(text, place) { url throws(TargetURLError) in try TargetURL(url, rules: rules) }
        var message = Message(name: "mail")
        var known: Set<MailLink> = []
        message.mailLinks = body.links.compactMap(\.mailLink).filter { known.insert($0).inserted }
        indexes = message.mailLinkIndexes
    }

    var untracked: String { Self.text(body.untracked(pages)) }

    func index(_ link: BodyLink) -> LinkIndex? { link.mailLink.flatMap { indexes[$0] } }

    func tracked(hasPixel: Bool = false) throws -> String {
        Self.text(body.tracked(origin: try PublicOrigin(Self.origin), pages, hasPixel: hasPixel, index: index))
    }

    private static func text(_ template: Template) -> String {
        var bytes: [UInt8] = []
        template.render(into: &bytes) { blank, output in
            if case .trackingID(let index) = blank { output += "(\(index))".utf8 }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension BodyLink {
    /// The reason for which it is skipped, by name; `nil` where it is rewritten.
    var skipped: String? {
        if case .skipped(let reason) = verdict { reason.name } else { nil }
    }
}
