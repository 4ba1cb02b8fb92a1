extension ConsentRequestTexts {
    static let czech = ConsentRequestTexts(
        title: "Vaše volba",
        question: "\(.sender) vás žádá o souhlas. Nejprve si přečtěte tento text:",
        readNotice: "Přečíst text",
        lookingIsNothing: "Když tuto stránku jen otevřete, nic se nezaznamená. Počítá se až stisknutí tlačítka.",
        tracking: "Smí \(.sender) zaznamenávat, kdy otevřete zprávy a odkazy v nich?",
        clicks: "Smí \(.sender) zaznamenávat, kdy otevřete odkazy ve zprávách?",
        opens: "Smí \(.sender) zaznamenávat, kdy otevřete zprávy?",
        purpose: "Souhlasíte s účelem „\(.purpose)“?",
        yes: "Ano, souhlasím",
        no: "Ne, nesouhlasím",
        saidYes: "Odpověděli jste ano. To teď platí.",
        saidNo: "Odpověděli jste ne. To teď platí.",
        change: "Svou odpověď tu můžete změnit do \(.date).",
        awaiting: """
            Odpověděli jste ano. Zatím to neplatí: \(.sender) vám nejprve pošle druhou zprávu s odkazem na \
            potvrzení.
            """,
        confirmTitle: "Potvrďte prosím",
        confirmQuestion: """
            Přes odkaz, který vám poslal \(.sender), někdo odpověděl ano. Byli jste to vy? Platí to jen tehdy, když \
            to tady potvrdíte.
            """,
        confirmYes: "Ano, potvrzuji",
        newer: """
            \(.sender) se vás od té doby zeptal znovu. Odpovězte prosím v novější zprávě. Tady se nic nezaznamenává.
            """,
        later: "Platí vaše pozdější odpověď. Tady se nic nezaznamenává.",
        expiredTitle: "Tato otázka už skončila",
        expired: "Tento odkaz je příliš starý. Tady se nic nezaznamenává.",
        nobody: "O osobě, které se \(.sender) ptal, už není nic známo. Nic se nezaznamenává.",
        unreadableTitle: "Odpovědi nerozumíme",
        unreadable: """
            Odpověď se nepodařilo přečíst. Nic se nezaznamenalo. Vraťte se zpět a stiskněte jedno z tlačítek.
            """)
}
