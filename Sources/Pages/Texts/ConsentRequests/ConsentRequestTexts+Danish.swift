extension ConsentRequestTexts {
    static let danish = ConsentRequestTexts(
        title: "Dit valg",
        question: "\(.sender) beder om dit samtykke. Læs først denne tekst:",
        readNotice: "Læs teksten",
        lookingIsNothing: "Der gemmes intet, når du bare åbner siden. Det tæller først, når du trykker på en knap.",
        tracking: "Må \(.sender) gemme, hvornår du åbner beskeder og linkene i dem?",
        clicks: "Må \(.sender) gemme, hvornår du åbner links i beskeder?",
        opens: "Må \(.sender) gemme, hvornår du åbner beskeder?",
        purpose: "Er du enig i “\(.purpose)”?",
        yes: "Ja, jeg siger ja",
        no: "Nej, jeg siger nej",
        saidYes: "Du har sagt ja. Det gælder nu.",
        saidNo: "Du har sagt nej. Det gælder nu.",
        change: "Du kan ændre dit svar her indtil \(.date).",
        awaiting: """
            Du har sagt ja. Det gælder ikke endnu: \(.sender) sender dig først en besked mere med et link, hvor du \
            bekræfter det.
            """,
        confirmTitle: "Bekræft dit svar",
        confirmQuestion: """
            Der blev svaret ja med det link, som \(.sender) sendte til dig. Var det dig? Det gælder kun, hvis du \
            bekræfter det her.
            """,
        confirmYes: "Ja, jeg bekræfter",
        newer: "\(.sender) har spurgt dig igen siden da. Svar i den nyere besked. Der gemmes intet her.",
        later: "Et senere svar fra dig gælder. Der gemmes intet her.",
        expiredTitle: "Dette spørgsmål er udløbet",
        expired: "Linket er for gammelt. Der gemmes intet her.",
        nobody: "Der vides ikke længere noget om den person, som \(.sender) spurgte. Der gemmes intet.",
        unreadableTitle: "Ikke forstået",
        unreadable: "Svaret kunne ikke læses. Der blev ikke gemt noget. Gå tilbage, og tryk på en af knapperne.")
}
