import Identifiers
import Interactions
import Messages
import UseCases

extension LinkedInteraction {
    /// The columns of a table of interactions.
    static let columns = [
        "id", "type", "occurredAt", "recordedAt", "recipient", "message", "link.index", "link.url", "link.label",
        "action", "source", "automated", "first", "visitor", "visitorReason",
    ]
}

extension CSVWriter {
    /// In the order of ``LinkedInteraction/columns``.
    mutating func cells(of item: LinkedInteraction) {
        let interaction = item.interaction
        cell(interaction.id.description)
        cell(interaction.kind.rawValue)
        cell(interaction.occurredAt.rfc3339)
        cell(interaction.recordedAt.rfc3339)
        cell(interaction.recipient?.text)
        cell(interaction.message.description)
        cell(item.link?.index.rawValue.description)
        cell(item.link?.target.text)
        cell(item.link?.label)
        cell(interaction.action?.text)
        cell(interaction.source.rawValue)
        cell(interaction.visitor.isAutomated)
        cell(interaction.isFirst)
        cell(interaction.visitor.class.rawValue)
        cell(interaction.visitor.reason.rawValue)
    }
}
