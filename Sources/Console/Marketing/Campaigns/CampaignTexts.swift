/// The texts of the page about messages.
struct CampaignTexts: Sendable {
    let title: String
    let lead: String
    let from: String
    let to: String
    let tag: String
    let sortBy: String
    let order: String
    let ascending: String
    let descending: String
    let show: String
    let showAll: String
    let message: String
    let made: String
    let composed: String
    let coverage: String
    let clickRate: String
    let state: String
    let on: String
    let off: String
    let expired: String
    let caption: String
    let empty: String
    let older: String
    let newest: String
    let next: String
    let previous: String
    let pages: String
    let unnamed: String
    /// Shown if more messages than these match the filter.
    let cut: @Sendable (String) -> String
    /// Shown if the page does not have all messages: how many the files have at most.
    let files: @Sendable (String) -> String

    func name(of key: CampaignSort.Key) -> String {
        switch key {
        case .name: message
        case .made: made
        case .people: composed
        case .coverage: coverage
        case .clicks: clickRate
        }
    }

    func name(of order: ConsoleTable.Sort.Order) -> String {
        switch order {
        case .ascending: ascending
        case .descending: descending
        }
    }

    static let all = Wording(english: english, german: german)

    private static let english = CampaignTexts(
        title: "Messages",
        lead: "Rates are about the people who are tracked. What the others did is not known and not estimated.",
        from: "Created from", to: "Created before", tag: "Tag", sortBy: "Sort by", order: "Order",
        ascending: "Ascending", descending: "Descending", show: "Show", showAll: "Show all", message: "Message",
        made: "Created", composed: "People", coverage: "Tracked", clickRate: "Clicked, of the tracked",
        state: "State", on: "On", off: "Switched off", expired: "No longer recorded", caption: "Messages",
        empty: "There is no message in this selection. A message appears here once it is created.",
        older: "Older messages", newest: "Newest messages", next: "Next page", previous: "Previous page",
        pages: "More messages", unnamed: "Without a name",
        cut: { "Only the newest \($0) messages of this selection are sorted. Choose a shorter time to sort others." },
        files: { "The files have all messages of this selection, but not more than the newest \($0)." })

    private static let german = CampaignTexts(
        title: "Nachrichten",
        lead: """
            Raten gelten für die Menschen, die gemessen werden. Was die anderen taten, ist nicht bekannt und wird nicht \
            geschätzt.
            """,
        from: "Erstellt ab", to: "Erstellt vor", tag: "Schlagwort", sortBy: "Sortieren nach", order: "Reihenfolge",
        ascending: "Aufsteigend", descending: "Absteigend", show: "Zeigen", showAll: "Alle zeigen",
        message: "Nachricht", made: "Erstellt", composed: "Menschen", coverage: "Gemessen",
        clickRate: "Geklickt, von den Gemessenen", state: "Zustand", on: "An", off: "Abgeschaltet",
        expired: "Wird nicht mehr erfasst", caption: "Nachrichten",
        empty: "In dieser Auswahl gibt es keine Nachricht. Eine Nachricht steht hier, sobald sie erstellt ist.",
        older: "Ältere Nachrichten", newest: "Neueste Nachrichten", next: "Nächste Seite", previous: "Vorige Seite",
        pages: "Weitere Nachrichten", unnamed: "Ohne Namen",
        cut: {
            """
            Nur die neuesten \($0) Nachrichten dieser Auswahl sind sortiert. Wählen Sie eine kürzere Zeit, um andere zu \
            sortieren.
            """
        },
        files: { "Die Dateien haben alle Nachrichten dieser Auswahl, aber höchstens die neuesten \($0)." })
}
