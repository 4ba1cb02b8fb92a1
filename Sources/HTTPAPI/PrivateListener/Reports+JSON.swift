import JSON
import Messages

extension JSONWriter {
    /// The member `skipped`: links of a mail that stay as they are.
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

    /// Where a link of a mail was found, and what it says.
    mutating func location(of link: BodyLink) {
        member("where", link.part.rawValue)
        member("offset", link.range.lowerBound)
        member("line", link.line)
        member("url", link.url)
    }
}
