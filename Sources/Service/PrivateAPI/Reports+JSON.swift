import Consent
import Identifiers
import JSON
import Messages

extension JSONWriter {
    /// The member `decision`, as every answer that rests on one has it.
    mutating func decision(_ decision: RecordedDecision) {
        key("decision")
        object { writer in
            writer.member("id", decision.id.description)
            writer.member("outcome", decision.reason.outcome.rawValue)
            writer.member("reason", decision.reason.rawValue)
        }
    }

    /// Where a link of a mail was found, and what it says.
    mutating func place(of link: BodyLink) {
        member("where", link.place.rawValue)
        member("offset", link.range.lowerBound)
        member("line", link.line)
        member("url", link.url)
    }
}
