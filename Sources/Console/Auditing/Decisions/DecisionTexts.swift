/// What the pages of decisions and of their samples say.
struct DecisionTexts: Sendable {
    let title: String
    let lead: String
    let from: String
    let to: String
    let show: String
    let finding: @Sendable (String, String, String) -> String
    let none: String
    let byReason: String
    let byDay: String
    let day: String
    let reason: String
    let outcome: String
    let count: String
    let share: String
    let decisions: String
    let tracked: String
    let untracked: String
    let sampleTitle: String
    let sampleLead: String
    let seed: String
    let seedHint: String
    let size: String
    let through: String
    let throughHint: String
    let draw: String
    let sampleCaption: String
    let leaf: String
    let time: String
    let message: String
    let drawn: @Sendable (String, String, String, String, String) -> String
    let incomplete: String
    let howTitle: String
    let how: [String]
    let shorter: @Sendable (String) -> String

    static let all = Wording(
        english: DecisionTexts(
            title: "Decisions",
            lead: "Who was tracked was decided for each person and message. This is how many, and why.",
            from: "From", to: "Before", show: "Show",
            finding: { all, tracked, untracked in "\(all) decisions: \(tracked) tracked, \(untracked) not tracked." },
            none: "Nothing was decided in this time.", byReason: "Decisions by reason", byDay: "Decisions by day",
            day: "Day", reason: "Reason", outcome: "Outcome", count: "Decisions", share: "Share",
            decisions: "Decisions", tracked: "Tracked", untracked: "Not tracked", sampleTitle: "Random sample",
            sampleLead: """
                Decisions drawn at random, in a way that anybody can repeat: nobody can choose them, and the same seed draws \
                the same ones for ever.
                """,
            seed: "Seed", seedHint: "Choose it yourself, such as the roll of dice. 1 to 128 bytes.", size: "Size",
            through: "Of the first entries", throughHint: "Leave it empty for all that the ledger has now.",
            draw: "Draw", sampleCaption: "The sample, in the order in which it was drawn", leaf: "Entry",
            time: "Decided", message: "Message",
            drawn: { count, draws, first, end, through in
                """
                \(count) decisions in \(draws) draws from the entries \(first) up to, and without, \(end) of the first \
                \(through).
                """
            },
            incomplete: "Few decisions fit, and the draws are used up: there may be more.",
            howTitle: "How to repeat it",
            how: [
                """
                Draw number n, from 0, hits the entry first + (the first 8 bytes of SHA-256 of “SEED:n”, as a number, most \
                significant byte first, modulo (end − first)). An entry that was hit before is passed over, and so is one \
                that is no decision, or not one of this time.
                """,
                """
                The entries stand in the ledger, and in its export, in this order; an older checkpoint proves that they were \
                not moved. Keep the seed and the number of entries: the address of this page has both.
                """,
                """
                The API gives the same sample: GET /v1/orgs/ORG/decisions/sample with the same seed, size and through. To \
                see whom a decision is about, ask for it by its id, with a reason: consentlink audit show ID.
                """,
            ],
            shorter: { size in "The ledger has \(size) entries." }),
        german: DecisionTexts(
            title: "Entscheidungen",
            lead: "Für jede Person und Nachricht wurde entschieden, ob gemessen wird. So oft, und aus diesen Gründen.",
            from: "Ab", to: "Vor", show: "Zeigen",
            finding: { all, tracked, untracked in
                "\(all) Entscheidungen: \(tracked) gemessen, \(untracked) nicht gemessen."
            },
            none: "In dieser Zeit wurde nichts entschieden.", byReason: "Entscheidungen nach Grund",
            byDay: "Entscheidungen nach Tag", day: "Tag", reason: "Grund", outcome: "Ergebnis",
            count: "Entscheidungen", share: "Anteil", decisions: "Entscheidungen", tracked: "Gemessen",
            untracked: "Nicht gemessen", sampleTitle: "Zufallsstichprobe",
            sampleLead: """
                Zufällig gezogene Entscheidungen, für alle wiederholbar: Niemand kann sie aussuchen, und derselbe Startwert \
                zieht immer dieselben.
                """,
            seed: "Startwert", seedHint: "Wählen Sie ihn selbst, etwa durch Würfeln. 1 bis 128 Byte.", size: "Größe",
            through: "Aus den ersten Einträgen", throughHint: "Leer lassen für alle, die das Protokoll jetzt hat.",
            draw: "Ziehen", sampleCaption: "Die Stichprobe, in der Reihenfolge der Ziehung", leaf: "Eintrag",
            time: "Entschieden", message: "Nachricht",
            drawn: { count, draws, first, end, through in
                """
                \(count) Entscheidungen in \(draws) Zügen aus den Einträgen \(first) bis ausschließlich \(end) der ersten \
                \(through).
                """
            },
            incomplete: "Wenige Entscheidungen passen, und die Züge sind verbraucht: Es kann mehr geben.",
            howTitle: "So wird sie wiederholt",
            how: [
                """
                Zug Nummer n, ab 0, trifft den Eintrag Anfang + (die ersten 8 Byte des SHA-256 von „STARTWERT:n“ als Zahl, \
                höchstwertiges Byte zuerst, modulo (Ende − Anfang)). Ein schon getroffener Eintrag wird übergangen, ebenso \
                einer, der keine Entscheidung oder nicht aus dieser Zeit ist.
                """,
                """
                Die Einträge stehen im Protokoll und in seinem Export in dieser Reihenfolge; ein älterer Prüfpunkt beweist, \
                dass sie nicht verschoben wurden. Behalten Sie Startwert und Zahl der Einträge: Beide stehen in der Adresse \
                dieser Seite.
                """,
                """
                Die API liefert dieselbe Stichprobe: GET /v1/orgs/ORG/decisions/sample mit seed, size und through wie hier. \
                Um wen eine Entscheidung geht, sagt sie mit ihrer ID und einem Grund: consentlink audit show ID.
                """,
            ],
            shorter: { size in "Das Protokoll hat \(size) Einträge." }))
}
