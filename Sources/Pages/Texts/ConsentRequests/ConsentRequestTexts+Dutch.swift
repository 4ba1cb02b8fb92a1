extension ConsentRequestTexts {
    static let dutch = ConsentRequestTexts(
        title: "Uw keuze",
        question: "\(.sender) vraagt om uw toestemming. Lees eerst deze tekst:",
        readNotice: "De tekst lezen",
        lookingIsNothing: "Als u deze pagina alleen opent, wordt er niets vastgelegd. Pas een druk op een knop telt.",
        tracking: "Mag \(.sender) vastleggen wanneer u berichten en de links daarin opent?",
        clicks: "Mag \(.sender) vastleggen wanneer u links in berichten opent?",
        opens: "Mag \(.sender) vastleggen wanneer u berichten opent?",
        purpose: "Gaat u akkoord met “\(.purpose)”?",
        yes: "Ja, ik ga akkoord",
        no: "Nee, ik ga niet akkoord",
        saidYes: "U hebt ja gezegd. Dat geldt nu.",
        saidNo: "U hebt nee gezegd. Dat geldt nu.",
        change: "U kunt uw antwoord hier veranderen tot \(.date).",
        awaiting: """
            U hebt ja gezegd. Dat geldt nog niet: \(.sender) stuurt u eerst een tweede bericht met een link om het \
            te bevestigen.
            """,
        confirmTitle: "Bevestig dit alstublieft",
        confirmQuestion: """
            Met de link die \(.sender) u heeft gestuurd, is ja geantwoord. Was u dat? Het geldt alleen als u het \
            hier bevestigt.
            """,
        confirmYes: "Ja, ik bevestig het",
        newer: """
            \(.sender) heeft het u sindsdien opnieuw gevraagd. Antwoord in het nieuwere bericht. Hier wordt niets \
            vastgelegd.
            """,
        later: "Een later antwoord van u geldt. Hier wordt niets vastgelegd.",
        expiredTitle: "Deze vraag is verlopen",
        expired: "Deze link is te oud. Hier wordt niets vastgelegd.",
        nobody: "Over de persoon aan wie \(.sender) dit vroeg, is niets meer bekend. Er wordt niets vastgelegd.",
        unreadableTitle: "Niet begrepen",
        unreadable: """
            Dit antwoord kon niet worden gelezen. Er is niets vastgelegd. Ga terug en druk op een van de knoppen.
            """)
}
