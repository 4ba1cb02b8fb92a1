extension MessageTexts {
    static let german = MessageTexts(
        back: "Alle Nachrichten", people: "Menschen", payloads: { "\($0)-mal erstellt" }, tracked: "Gemessen",
        // The German dative is the same for one person and for several.
        ofPeople: { "\($0) von \($1) Menschen" }, clicked: "Geklickt, von den Gemessenen",
        opened: "Geöffnet, von den Gemessenen",
        interval: { "zwischen \($0) und \($1), mit 95\u{A0}% Sicherheit" }, clickedOfAll: "Geklickt, von allen",
        openedOfAll: "Geöffnet, von allen", range: { "\($0) bis \($1)" },
        clickBounds: {
            """
            \($0.of("Mensch wird", "Menschen werden")) nicht gemessen. Die kleinere Zahl stimmt, wenn von ihnen niemand \
            geklickt hat, die größere, wenn alle geklickt haben.
            """
        },
        openBounds: {
            """
            Bei \($0) Menschen ist nicht bekannt, ob sie die Nachricht geöffnet haben. Die kleinere Zahl stimmt, wenn \
            von ihnen niemand sie geöffnet hat, die größere, wenn alle es taten.
            """
        },
        unknown: "nicht bekannt: ältere Daten sind gelöscht",
        notMeasured: "Öffnungen dieser Nachricht werden nicht gemessen", nobodyTracked: "niemand wird gemessen",
        openedAtMost: { "höchstens \($0), wenn auch Öffnungen zählen, die von Maschinen sein können" },
        clickedOfTracked: {
            """
            \($0) von \($1) gemessenen Menschen \($0.form("hat", "haben")) geklickt: zwischen \($2) und \($3), mit \
            95\u{A0}% Sicherheit.
            """
        },
        noneTracked: "Niemand wird in dieser Nachricht gemessen, also ist nicht bekannt, wer geklickt hat.",
        notKept: "Wie viele Menschen geklickt haben, ist nicht bekannt: ältere Daten sind gelöscht.",
        noneComposed: "Sie wurde noch für niemanden erstellt.", composedBar: "Erstellt für", trackedBar: "Gemessen",
        clickedBar: "Geklickt", funnel: "Erstellt, gemessen, geklickt", links: "Links",
        bestLink: { "Am häufigsten geöffnet: „\($0)“ mit \($1.of("Klick", "Klicks")) von \($2) Menschen." },
        noClicks: "Noch wurde kein gemessener Link geöffnet.", byPeople: { $0.of("Mensch", "Menschen") },
        firstLinks: {
            """
            Von \($0) Links stehen im Diagramm die \($1) mit den meisten Klicks, in seiner Tabelle \($2). Die Dateien \
            haben alle.
            """
        },
        addedLinks: "Links einzelner Empfänger",
        addedFollowed: { "Links einzelner Empfänger wurden insgesamt \($0)-mal geöffnet." },
        ownLink: "Der Link der Nachricht", inMail: "In der E-Mail", inText: "Im reinen Text der E-Mail",
        button: { "Knopf \($0)" }, hours: "Klicks nach Stunden seit dem Erstellen der Nachricht",
        early: {
            """
            \($0.of("Klick", "Klicks")) insgesamt: \($1) in der ersten Stunde, \($2) in den ersten 24 Stunden.
            """
        },
        days: "Klicks nach Tagen",
        bestDay: { "Der Tag mit den meisten Klicks war der \($0), mit \($1.of("Klick", "Klicks"))." },
        newestDays: { "Klicks nach Tagen: die neuesten \($0) von \($1). Die Dateien haben alle." }, clicks: "Klicks",
        opens: "Öffnungen", clickers: "Menschen, die klickten", openers: "Menschen, die öffneten",
        openKinds: "Öffnungen durch Menschen und durch Maschinen",
        openFinding: {
            """
            Menschen haben sie \($0)-mal geöffnet, Maschinen, etwa Mailprogramme, \($1)-mal. Bei \
            \($2.of("Öffnung", "Öffnungen")) ist nicht bekannt, ob ein Mensch oder eine Maschine es war.
            """
        },
        noOpens: "Noch wurde keine Öffnung erfasst.", interactions: "Alle erfassten Interaktionen",
        noInteractions: "Noch wurde keine Interaktion erfasst.", about: "Über diese Nachricht", id: "ID",
        made: "Erstellt", expires: "Klicks und Öffnungen werden erfasst bis",
        never: "zum Ende der Lebensdauer jedes Links", tags: "Schlagwörter",
        purposes: "Einwilligung nötig für", clicksAndOpens: { "\($0) (Klicks), \($1) (Öffnungen)" },
        countedUntil: "Menschen gezählt bis",
        countedUntilHint: """
            Dann wurden ältere Interaktionen gelöscht. Spätere Klicks und Öffnungen zählen in den Summen, aber nicht \
            mehr bei den Menschen. Sobald es welche gibt, ist nicht bekannt, wie viele geklickt und geöffnet haben.
            """,
        step: "Schritt", forOpens: "Menschen, für Öffnungen", link: "Link", place: "Stelle", target: "Führt zu",
        day: "Tag", hour: "Stunde", visitor: "Geöffnet von", kind: "Interaktion", total: "Summe",
        automated: "Von Maschinen", suspected: "Vermutlich Scanner",
        untracked: "Menschen, die nicht gemessen werden, nach Grund", rates: "Raten", bounds: "Grenzen für alle",
        decisions: "Entscheidungen nach Grund", switchOff: "Abschalten",
        switchOffHint: """
            Solange die Nachricht abgeschaltet ist, gehen ihre Links nicht: Leser erfahren das, und kein Klick wird \
            erfasst.
            """,
        switchOn: "Einschalten", switchOnHint: "Die Links der Nachricht gehen wieder.")
}
