import Reports

extension DecisionTexts {
    static let german = DecisionTexts(
        title: "Entscheidungen",
        lead: """
            Für jede Person und Nachricht wurde entschieden, ob gemessen wird. Hier steht, wie oft und aus welchen Gründen.
            """,
        from: "Ab", to: "Vor", message: "Nachricht",
        messageHint: """
            Die ID einer Nachricht, für alle ihre Entscheidungen. Sie wird als Ganzes gezählt: Lassen Sie die Tage dann leer.
            """,
        show: "Zeigen",
        finding: { all, tracked, untracked in
            "\(all.of("Entscheidung", "Entscheidungen")): \(tracked) gemessen, \(untracked) nicht gemessen."
        },
        none: "In dieser Zeit wurde nichts entschieden.",
        selection: { error in
            switch error {
            case .backwards: "Das Ende darf nicht vor dem Anfang liegen."
            case .tooLong: "Die Zeit darf nicht länger als \(ReportSelection.mostDays) Tage sein."
            case .tooManyMessages, .tooManyPeople: "Das ist zu viel für eine Seite. Bitte wählen Sie eine kürzere Zeit."
            }
        },
        wholeMessage: "Eine Nachricht wird als Ganzes gezählt: Lassen Sie die Tage leer, oder die Nachricht.",
        noMessage: "Die Organisation hat keine Nachricht mit dieser ID.",
        byReason: "Entscheidungen nach Grund", byTime: "Entscheidungen im Lauf der Zeit", day: "Tag", week: "Woche ab",
        month: "Monat", reason: "Grund", outcome: "Ergebnis", decisions: "Entscheidungen", share: "Anteil",
        sampleTitle: "Zufallsstichprobe",
        sampleLead: """
            Zufällig gezogene Entscheidungen, für alle wiederholbar: Niemand kann sie aussuchen, und derselbe Startwert \
            zieht immer dieselben.
            """,
        seed: "Startwert", seedHint: "Wählen Sie ihn selbst, etwa durch Würfeln. 1 bis 128 Byte.", size: "Größe",
        through: "Aus den ersten Einträgen", throughHint: "Leer lassen für alle, die das Protokoll jetzt hat.",
        draw: "Ziehen", sampleCaption: "Die Stichprobe, in der Reihenfolge der Ziehung", leaf: "Eintrag",
        time: "Entschieden",
        drawn: { count, draws, first, end, through in
            """
            \(count.of("Entscheidung", "Entscheidungen")) in \(draws.of("Zug", "Zügen")) aus den \
            Einträgen \(first) bis ausschließlich \(end) der ersten \(through).
            """
        },
        firstRows: { "Die Seite zeigt die ersten \($0) von \($1) Entscheidungen. Die Dateien haben alle." },
        incomplete: "Wenige Entscheidungen passen, und die Züge sind verbraucht: Es kann mehr geben.",
        howTitle: "So wird sie wiederholt",
        how: [
            """
            Zug Nummer n, ab 0, trifft den Eintrag Anfang + (die ersten 8 Byte des SHA-256 von „STARTWERT:n“ als Zahl, \
            höchstwertiges Byte zuerst, modulo (Ende − Anfang)). Ein schon getroffener Eintrag wird übergangen, ebenso \
            einer, der keine Entscheidung oder nicht aus dieser Zeit oder Nachricht ist.
            """,
            """
            Die Einträge stehen im Protokoll und in seinem Export in dieser Reihenfolge; ein älterer Prüfpunkt beweist, \
            dass sie nicht verschoben wurden. Behalten Sie Startwert und Zahl der Einträge: Beide stehen in der Adresse \
            dieser Seite.
            """,
            """
            Die API liefert dieselbe Stichprobe: GET /v1/orgs/ORG/decisions/sample mit seed, size, through und Filtern wie \
            hier. Um wen eine Entscheidung geht, sagt sie mit ihrer ID und einem Grund: consentlink audit show ID.
            """,
        ],
        shorter: {
            "Das Protokoll hat \($0.of("Eintrag", "Einträge")); aus mehr kann keine Stichprobe gezogen werden."
        })
}
