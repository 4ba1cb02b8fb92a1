/// What the page of messages says.
struct CampaignTexts: Sendable {
    let title: String
    let lead: String
    let from: String
    let to: String
    let tag: String
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
    /// Where more messages than these fit the filter.
    let cut: @Sendable (String) -> String

    static let all = Wording(
        english: CampaignTexts(
            title: "Messages",
            lead: "Rates are of the people who agreed to be tracked. What the others did is not known, and not guessed.",
            from: "Made from", to: "Made before", tag: "Tag", show: "Show", showAll: "Show all", message: "Message",
            made: "Made", composed: "People", coverage: "Tracked", clickRate: "Clicked, of the tracked", state: "State",
            on: "On", off: "Switched off", expired: "Expired", caption: "Messages",
            empty: "There is no message in this selection. A message appears here once it is composed.",
            older: "Older messages", newest: "Newest messages", next: "Next page", previous: "Previous page",
            pages: "More messages", unnamed: "Without a name",
            cut: { "Only the newest \($0) messages of this selection are sorted. Choose a shorter time to sort others." }),
        german: CampaignTexts(
            title: "Nachrichten",
            lead: """
                Raten gelten für Menschen, die der Messung zugestimmt haben. Was die anderen taten, ist nicht bekannt und \
                wird nicht geschätzt.
                """,
            from: "Erstellt ab", to: "Erstellt vor", tag: "Schlagwort", show: "Zeigen", showAll: "Alle zeigen",
            message: "Nachricht", made: "Erstellt", composed: "Menschen", coverage: "Gemessen",
            clickRate: "Geklickt, von den Gemessenen", state: "Zustand", on: "An", off: "Abgeschaltet",
            expired: "Abgelaufen", caption: "Nachrichten",
            empty: "In dieser Auswahl gibt es keine Nachricht. Eine Nachricht steht hier, sobald sie erstellt ist.",
            older: "Ältere Nachrichten", newest: "Neueste Nachrichten", next: "Nächste Seite", previous: "Vorige Seite",
            pages: "Weitere Nachrichten", unnamed: "Ohne Namen",
            cut: {
                """
                Nur die neuesten \($0) Nachrichten dieser Auswahl sind sortiert. Für andere wählen Sie eine kürzere Zeit.
                """
            }))
}
