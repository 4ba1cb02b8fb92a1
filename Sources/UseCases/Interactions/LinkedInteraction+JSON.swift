import Identifiers
import Interactions
package import JSON
import Messages

extension JSONWriter {
    /// The members of an interaction, the same in answers, feeds and audit exports.
    package mutating func members(of item: LinkedInteraction) {
        let interaction = item.interaction
        member("id", interaction.id.description)
        member("type", interaction.kind.rawValue)
        member("occurredAt", interaction.occurredAt.rfc3339)
        member("recordedAt", interaction.recordedAt.rfc3339)
        member("recipient", interaction.recipient?.text)
        member("message", interaction.message.description)
        key("link")
        if let link = item.link {
            object { writer in
                writer.member("index", link.index.rawValue)
                writer.member("url", link.target.text)
                writer.member("label", link.label)
            }
        } else {
            null()
        }
        member("action", interaction.action?.text)
        member("source", interaction.source.rawValue)
        member("automated", interaction.visitor.isAutomated)
        member("first", interaction.isFirst)
        member("visitor", interaction.visitor.class.rawValue)
        member("visitorReason", interaction.visitor.reason.rawValue)
    }
}
