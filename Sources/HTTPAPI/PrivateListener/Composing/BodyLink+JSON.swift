import JSON
import Messages

extension JSONWriter {
    /// The member `skipped`: links of a mail that stay unchanged.
    mutating func skipped(_ links: [(link: BodyLink, reason: BodyLink.Reason)]) {
        key("skipped")
        array { writer in
            for skipped in links {
                writer.object { writer in
                    writer.location(of: skipped.link)
                    writer.member("reason", skipped.reason.name)
                    writer.member("detail", skipped.reason.description)
                }
            }
        }
    }

    /// The place of a link in a mail, and its content.
    mutating func location(of link: BodyLink) {
        member("where", link.part.rawValue)
        member("offset", link.range.lowerBound)
        member("line", link.line)
        member("url", link.url)
    }
}
