extension ConsentRequestTexts {
    static let italian = ConsentRequestTexts(
        title: "La tua scelta",
        question: "\(.sender) chiede il tuo consenso. Leggi prima questo testo:",
        readNotice: "Leggi l’informativa",
        lookingIsNothing: "Aprire questa pagina non registra nulla. Conta solo premere un pulsante.",
        tracking: "\(.sender) può registrare quando apri i suoi messaggi e i link che contengono?",
        clicks: "\(.sender) può registrare quando apri i link contenuti nei suoi messaggi?",
        opens: "\(.sender) può registrare quando apri i suoi messaggi?",
        purpose: "Sei d’accordo con «\(.purpose)»?",
        yes: "Sì, accetto",
        no: "No, non accetto",
        saidYes: "Hai detto di sì. Ora vale questo.",
        saidNo: "Hai detto di no. Ora vale questo.",
        change: "Puoi cambiare la tua risposta qui fino al \(.date).",
        awaiting: """
            Hai detto di sì. Non vale ancora: \(.sender) ti invia prima un secondo messaggio con un link per \
            confermare.
            """,
        confirmTitle: "Conferma, per favore",
        confirmQuestion: """
            Con il link che \(.sender) ti ha inviato è stato risposto di sì. Eri tu? Vale solo se lo confermi qui.
            """,
        confirmYes: "Sì, confermo",
        newer: """
            Da allora \(.sender) te lo ha chiesto di nuovo. Rispondi nel messaggio più recente. Qui non si registra \
            nulla.
            """,
        later: "Vale una tua risposta successiva. Qui non si registra nulla.",
        expiredTitle: "Questa domanda è scaduta",
        expired: "Questo link è troppo vecchio. Qui non si registra nulla.",
        nobody: "Non si sa più nulla della persona a cui \(.sender) ha fatto la domanda. Non si registra nulla.",
        unreadableTitle: "Risposta non capita",
        unreadable: """
            Non è stato possibile leggere questa risposta. Non è stato registrato nulla. Torna indietro e premi uno \
            dei pulsanti.
            """)
}
