import Identifiers
import Organizations
import UseCases

/// What the template of an organization's keys shows.
struct AccessKeyView {
    struct Row {
        let id: String
        let name: String
        let scopes: String
        /// The day.
        let made: String
        let used: String
        let action: String
        let token: String

        init(_ key: AccessKey, _ texts: AccessKeyTexts, _ format: NumberFormat, action: String, token: String) {
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

    let texts: AccessKeyTexts
    let rows: [Row]
    let hasRows: Bool
    /// What was done; `nil` where nothing was.
    let notice: String?
    /// Where to go on after proving again who they are.
    let back: String
    let action: String
    let token: String
    /// As it was typed.
    let name: String
    let choices: [Choice]
    let nameFault: String?
    let scopesFault: String?
    let nameLength: Int
    let more: String?

    /// For files.
    static func table(_ keys: [AccessKey], _ texts: AccessKeyTexts) -> ConsoleTable {
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
