extension MessageTexts {
    static let german = MessageTexts(
        back: "Alle Nachrichten", people: "Menschen", payloads: { "\($0) Sendungen wurden für sie erstellt" },
        tracked: "Gemessen", ofPeople: { "\($0) von \($1) Menschen" }, clicked: "Geklickt, von den Gemessenen",
        opened: "Geöffnet, von den Gemessenen", interval: { "zwischen \($0) und \($1), mit 95 % Sicherheit" },
        everybody: "Geklickt, von allen", range: { "\($0) bis \($1)" },
        bounds: { "\($0) Menschen werden nicht gemessen. Was sie auch taten, die Wahrheit liegt dazwischen." },
        unknown: "Nicht mehr bekannt", notMeasured: "Nicht gemessen",
        openedAtMost: { "höchstens \($0), wo es unklar ist" },
        clickedOfTracked: { "\($0) von \($1) gemessenen Menschen haben geklickt (\($2) bis \($3))." },
        noneTracked: "Keiner ihrer Menschen wird gemessen, also ist nicht bekannt, wer geklickt hat.",
        notKept: "Wie viele Menschen geklickt haben, ist nicht mehr bekannt.",
        noneComposed: "Sie wurde noch für niemanden erstellt.", composedBar: "Erstellt", trackedBar: "Gemessen",
        clickedBar: "Geklickt", funnel: "Was daraus wurde",
        links: "Links", bestLink: { "Am häufigsten geöffnet: „\($0)“ mit \($1) Klicks von \($2) Menschen." },
        noClicks: "Noch wurde kein gemessener Link geöffnet.", byPeople: { "\($0) Menschen" },
        firstLinks: { "Die Seite zeigt die \($0) am häufigsten geöffneten von \($1) Links. Die Dateien haben alle." },
        ownLink: "Der Link der Nachricht", inMail: "In der E-Mail", inText: "Im reinen Text der E-Mail",
        button: { "Knopf \($0)" }, hours: "Stunden seit dem Erstellen",
        early: { "Von \($0) Klicks kamen \($1) in der ersten Stunde und \($2) am ersten Tag." }, days: "Nach Tagen",
        bestDay: { "Der Tag mit den meisten Klicks war der \($0), mit \($1)." }, clicks: "Klicks", opens: "Öffnungen",
        clickers: "Menschen, die klickten", openers: "Menschen, die öffneten", openKinds: "Wer sie geöffnet hat",
        openFinding: { "Menschen haben sie \($0)-mal geöffnet, Maschinen, etwa Mailprogramme, \($1)-mal; bei \($2) Öffnungen ist es unklar." },
        noOpens: "Keine Öffnung wurde gemeldet.", interactions: "Alles, was erfasst wurde",
        noInteractions: "Noch wurde nichts erfasst.", about: "Über diese Nachricht", id: "ID", made: "Erstellt",
        expires: "Links enden", never: "Nicht festgelegt", state: "Zustand", tags: "Schlagwörter",
        purposes: "Einwilligung nötig für", clicksAndOpens: { "\($0) (Klicks), \($1) (Öffnungen)" },
        countedUntil: "Menschen gezählt bis",
        countedUntilHint: "Ältere Interaktionen sind gelöscht. Spätere zählen nur in den Summen.", measure: "Was",
        count: "Anzahl", reason: "Grund", forOpens: "Für Öffnungen", value: "Rate", low: "Von", high: "Bis", link: "Link",
        place: "Wo", target: "Führt zu", day: "Tag", hour: "Stunde", visitor: "Wer", kind: "Was", total: "Insgesamt",
        automated: "Von Maschinen", suspected: "Vermutlich Scanner", decisions: "Entscheidungen", switchOff: "Abschalten",
        switchOffHint: """
            Solange sie aus ist, führen ihre Links nirgendwohin: Leser erfahren, dass es sie nicht mehr gibt, und kein Klick \
            wird erfasst.
            """,
        switchOn: "Einschalten", switchOnHint: "Ihre Links führen wieder zu ihren Zielen.")
}
