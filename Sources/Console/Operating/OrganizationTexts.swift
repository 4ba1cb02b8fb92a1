import Consent
import Organizations
import UseCases

/// The texts of the page about all organizations.
struct OrganizationTexts: Sendable {
    let title: String
    let lead: String
    let caption: String
    let id: String
    let name: String
    let enforcement: String
    let enforcementOf: @Sendable (Enforcement) -> String
    /// The heading of the links to an organization's pages.
    let pages: String
    let empty: String
    let more: String
    let make: String
    let idHint: String
    let nameHint: String
    let idUnfit: String
    let nameUnfit: String
    let taken: String
    let formerLedger: String

    func words(for refusal: OrganizationCreator.Refusal) -> String {
        switch refusal {
        case .taken: taken
        case .formerLedger: formerLedger
        }
    }

    static let all = Wording(
        english: OrganizationTexts(
            title: "Organizations", lead: "The tenants of this service. They cannot see each other’s data.",
            caption: "Organizations, in the order in which they were made", id: "ID", name: "Name",
            enforcement: "Who is tracked",
            enforcementOf: { enforcement in
                switch enforcement {
                case .restrictive: "Only people who agreed (restrictive)"
                case .nonRestrictive: "All except people who refused (nonRestrictive)"
                }
            },
            pages: "Pages", empty: "There is no organization yet.", more: "More organizations",
            make: "Make an organization",
            idHint: "1 to 64 letters, digits, dots, hyphens and underscores. It is in addresses and never changes.",
            nameHint: "As people know it; without one, the ID.",
            idUnfit: "This cannot be an ID. Nothing was made.",
            nameUnfit: """
                A name has at most \(Organization.maximumNameLength) bytes, in one line; letters with accents have \
                several. Nothing was made.
                """,
            taken: "There is an organization with this ID already.",
            formerLedger: """
                There is a checkpoint of an earlier ledger of this name in the data folder. Choose another ID, or restore \
                the database that belongs to it.
                """),
        german: OrganizationTexts(
            title: "Organisationen", lead: "Wessen Nachrichten dieser Dienst zählt, jede getrennt von den anderen.",
            caption: "Organisationen, in der Reihenfolge ihrer Erstellung", id: "ID", name: "Name",
            enforcement: "Wer gemessen wird",
            enforcementOf: { enforcement in
                switch enforcement {
                case .restrictive: "Nur wer zugestimmt hat (restrictive)"
                case .nonRestrictive: "Alle, die nicht abgelehnt haben (nonRestrictive)"
                }
            },
            pages: "Seiten", empty: "Es gibt noch keine Organisation.", more: "Weitere Organisationen",
            make: "Organisation anlegen",
            idHint: "1 bis 64 Buchstaben, Ziffern, Punkte, Binde- und Unterstriche. Sie steht in Adressen und bleibt.",
            nameHint: "Wie Menschen sie kennen; ohne Namen die ID.",
            idUnfit: "Das kann keine ID sein. Nichts wurde angelegt.",
            nameUnfit: """
                Ein Name hat höchstens \(Organization.maximumNameLength) Bytes, in einer Zeile; Umlaute haben mehrere. \
                Nichts wurde angelegt.
                """,
            taken: "Es gibt schon eine Organisation mit dieser ID.",
            formerLedger: """
                Im Datenordner liegt ein Prüfpunkt eines früheren Protokolls dieses Namens. Wählen Sie eine andere ID, oder \
                stellen Sie die Datenbank wieder her, die dazu gehört.
                """))
}
