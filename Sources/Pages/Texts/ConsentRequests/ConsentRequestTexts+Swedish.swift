extension ConsentRequestTexts {
    static let swedish = ConsentRequestTexts(
        title: "Ditt val",
        question: "\(.sender) ber om ditt samtycke. Läs den här texten först:",
        readNotice: "Läs texten",
        lookingIsNothing: """
            Inget sparas när du bara öppnar sidan. Det är först när du trycker på en knapp som det räknas.
            """,
        tracking: "Får \(.sender) spara uppgifter om när du öppnar meddelanden och länkarna i dem?",
        clicks: "Får \(.sender) spara uppgifter om när du öppnar länkar i meddelanden?",
        opens: "Får \(.sender) spara uppgifter om när du öppnar meddelanden?",
        purpose: "Godkänner du ”\(.purpose)”?",
        yes: "Ja, jag godkänner",
        no: "Nej, jag godkänner inte",
        saidYes: "Du har sagt ja. Det gäller nu.",
        saidNo: "Du har sagt nej. Det gäller nu.",
        change: "Du kan ändra ditt svar här till och med \(.date).",
        awaiting: """
            Du har sagt ja. Det gäller inte än: \(.sender) skickar först ett andra meddelande till dig med en länk \
            där du bekräftar.
            """,
        confirmTitle: "Bekräfta ditt svar",
        confirmQuestion: """
            Någon svarade ja med länken som \(.sender) skickade till dig. Var det du? Det gäller bara om du \
            bekräftar det här.
            """,
        confirmYes: "Ja, jag bekräftar",
        newer: "\(.sender) har frågat dig igen sedan dess. Svara i det nyare meddelandet. Inget sparas här.",
        later: "Ett senare svar från dig gäller. Inget sparas här.",
        expiredTitle: "Den här frågan har gått ut",
        expired: "Länken är för gammal. Inget sparas här.",
        nobody: "Inget är längre känt om personen som \(.sender) frågade. Inget sparas.",
        unreadableTitle: "Svaret gick inte att förstå",
        unreadable: "Svaret gick inte att läsa. Inget har sparats. Gå tillbaka och tryck på en av knapparna.")
}
