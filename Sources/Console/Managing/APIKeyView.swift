import Identifiers
import Organizations
import UseCases

/// The content of the template for an organization's keys.
struct APIKeyView {
    struct Row {
        let id: String
        let name: String
        let scopes: String
        /// The day on which it was made.
        let made: String
        let used: String
        let action: String
        let token: String

        init(_ key: APIKey, _ texts: APIKeyTexts, _ format: NumberFormat, action: String, token: String) {
            id = key.id.description
            name = key.name
            scopes = key.scopes.names.joined(separator: ", ")
            made = format.day(key.createdAt)
            used = key.lastUsedAt.map(format.minute) ?? texts.neverUsed
            self.action = action
            self.token = token
        }
    }

    struct Choice {
        let field: String
        let text: String
        let isChosen: Bool
    }

    let texts: APIKeyTexts
    let rows: [Row]
    let hasRows: Bool
    /// What was done; `nil` if nothing was.
    let notice: String?
    /// The page to return to after proving again who they are.
    let back: String
    let action: String
    let token: String
    /// The name as the user typed it, as HTML.
    let typedName: String
    let choices: [Choice]
    let nameFault: String?
    let scopesFault: String?
    let nameLength: Int
    let more: String?

    /// The table for files.
    static func table(_ keys: [APIKey], _ texts: APIKeyTexts) -> ConsoleTable {
        ConsoleTable(
            name: "keys", caption: texts.caption,
            columns: [
                .init("id", texts.id), .init("name", texts.name), .init("scopes", texts.scopes),
                .init("createdAt", texts.made), .init("lastUsedAt", texts.used),
            ],
            rows: keys.map { key in
                [
                    .code(key.id.description), .text(key.name), .text(key.scopes.names.joined(separator: ", ")),
                    .time(key.createdAt), .time(key.lastUsedAt),
                ]
            },
            whenEmpty: texts.empty)
    }
}
