/// The texts of every page's frame.
struct FrameTexts: Sendable {
    let skip: String
    let navigation: String
    let marketing: String
    let auditing: String
    let managing: String
    let operating: String
    let campaigns: String
    let consent: String
    let person: String
    let decisions: String
    let ledger: String
    let access: String
    let keys: String
    let processing: String
    let health: String
    let organizations: String
    let signingKeys: String
    let upkeep: String
    let sessions: String
    let signOut: String
    let signedInAs: String
    let organization: String
    let change: String
    let language: String
    /// The heading of the links to a page's tables.
    let download: String
    /// The text beside the name of a file's format.
    let utc: String
    let theOperator: String
    /// The text below charts that opens the numbers of a chart.
    let numbers: String

    func name(of area: ConsoleArea) -> String {
        switch area {
        case .campaigns: campaigns
        case .consent: consent
        case .person: person
        case .decisions: decisions
        case .ledger: ledger
        case .access: access
        case .keys: keys
        case .processing: processing
        case .health: health
        case .organizations: organizations
        case .signingKeys: signingKeys
        case .upkeep: upkeep
        case .sessions: sessions
        }
    }

    func name(of group: ConsoleArea.Group) -> String {
        switch group {
        case .marketing: marketing
        case .auditing: auditing
        case .managing: managing
        case .operating: operating
        }
    }

    static let all = Wording(
        english: FrameTexts(
            skip: "Skip to content", navigation: "Pages", marketing: "Campaigns", auditing: "Audit",
            managing: "Organization", operating: "Service", campaigns: "Messages", consent: "Consent", person: "Person",
            decisions: "Decisions", ledger: "Ledger", access: "Access", keys: "Keys", processing: "Processing record",
            health: "Health", organizations: "Organizations", signingKeys: "Signing keys",
            upkeep: "Backups and retention", sessions: "Sessions", signOut: "Sign out", signedInAs: "Signed in as",
            organization: "Organization", change: "Change", language: "Language", download: "Download",
            utc: "All times are UTC.", theOperator: "operator", numbers: "Show the numbers"),
        german: FrameTexts(
            skip: "Zum Inhalt springen", navigation: "Seiten", marketing: "Kampagnen", auditing: "Prüfung",
            managing: "Organisation", operating: "Dienst", campaigns: "Nachrichten", consent: "Einwilligungen",
            person: "Person", decisions: "Entscheidungen", ledger: "Protokoll", access: "Einsichten",
            keys: "Schlüssel", processing: "Verarbeitungsverzeichnis", health: "Zustand",
            organizations: "Organisationen", signingKeys: "Signaturschlüssel", upkeep: "Sicherungen und Fristen",
            sessions: "Sitzungen", signOut: "Abmelden", signedInAs: "Angemeldet als", organization: "Organisation",
            change: "Wechseln", language: "Sprache", download: "Herunterladen",
            utc: "Alle Zeiten sind UTC.", theOperator: "Betreiber", numbers: "Zahlen zeigen"))
}
