import Consent
import Identifiers
import JSON
import Messages

extension JSONWriter {
    /// The member `decision`, as every answer that rests on one has it.
    mutating func decision(_ decision: RecordedDecision) { self.decision(decision.id, decision.reason) }

    /// - Parameter id: `nil` where nothing was decided, but would be so.
    mutating func decision(_ id: DecisionID?, _ reason: DecisionReason) {
        key("decision")
        object { writer in
            writer.member("id", id?.description)
            writer.member("outcome", reason.outcome.rawValue)
            writer.member("reason", reason.rawValue)
        }
    }

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
