import Consent
import Identifiers
import Organizations

/// The content of the template for all organizations.
struct OrganizationView {
    struct Row {
        struct Link {
            let text: String
            let path: String
        }

        let id: String
        let name: String
        let enforcement: String
        let tone: String
        /// The links to the organization's pages.
        let links: [Link]

        init(_ organization: Organization, _ texts: OrganizationTexts, _ frame: FrameTexts) {
            let id = organization.id.description
            self.id = id
            name = organization.name
            enforcement = texts.enforcementOf(organization.enforcement)
            tone = (organization.enforcement == .restrictive ? ConsoleTable.Tone.good : .neutral).rawValue
            links = ConsoleArea.allCases.filter(\.isOfOrganization).compactMap { area in
                area.path(in: id).map { Link(text: frame.name(of: area), path: $0) }
            }
        }
    }

    struct Choice {
        let value: String
        let text: String
        let isChosen: Bool
    }

    let texts: OrganizationTexts
    let rows: [Row]
    let hasRows: Bool
    let more: String?
    let action: String
    let token: String
    let idFault: String?
    let nameFault: String?
    /// The inputs as the operator typed them.
    let id: String
    /// As HTML.
    let typedName: String
    let choices: [Choice]
    let idLength: Int
    let nameLength: Int

    /// The table for files: the settings, without the links of the page.
    static func table(_ found: [Organization], _ texts: OrganizationTexts) -> ConsoleTable {
        ConsoleTable(
            name: "organizations", caption: texts.caption,
            columns: [
                .init("id", texts.id), .init("name", texts.name), .init("enforcement", texts.enforcement),
                .init("honorGPC", "honorGPC"), .init("requireEvidence", "requireEvidence"),
                .init("recordAccess", "recordAccess"), .init("interactionsDays", "interactionsDays", .number),
                .init("decisionsDays", "decisionsDays", .number),
            ],
            rows: found.map { organization in
                [
                    .code(organization.id.description), .text(organization.name),
                    .code(organization.enforcement.rawValue), .code(String(organization.honorsGPC)),
                    .code(String(organization.requiresEvidence)), .code(String(organization.recordsAccess)),
                    days(organization.retention.interactionsDays), days(organization.retention.decisionsDays),
                ]
            },
            whenEmpty: texts.empty)
    }

    private static func days(_ count: Int?) -> ConsoleTable.Cell { count.map { .number($0) } ?? .none }
}
