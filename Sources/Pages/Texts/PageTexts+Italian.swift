extension PageTexts {
    static let italian = PageTexts(
        languages: "Lingua",
        withdrawal: WithdrawalTexts(
            isOn: "Il tracciamento dei messaggi è attivo",
            isPartlyOn: "Il tracciamento dei messaggi è attivo in parte",
            isOff: "Il tracciamento dei messaggi è disattivato",
            everything: .init(
                recorded: """
                    Quando apri un messaggio di \(.sender) o un link al suo interno, questo può essere registrato, \
                    con l’ora.
                    """,
                notRecorded: """
                    Quando apri un messaggio di \(.sender) o un link al suo interno, su di te non viene registrato \
                    nulla.
                    """,
                turnOff: "Disattiva il tracciamento",
                keepOff: "Lascia il tracciamento disattivato"),
            clicks: .init(
                recorded: """
                    Quando apri un link in un messaggio di \(.sender), questo può essere registrato, con l’ora.
                    """,
                notRecorded: """
                    Quando apri un link in un messaggio di \(.sender), su di te non viene registrato nulla.
                    """,
                turnOff: "Disattiva per i link",
                keepOff: "Lascia disattivato per i link"),
            clicksHeading: "Link",
            opens: .init(
                recorded: "Quando apri un messaggio di \(.sender), questo può essere registrato, con l’ora.",
                notRecorded: "Quando apri un messaggio di \(.sender), su di te non viene registrato nulla.",
                turnOff: "Disattiva per i messaggi",
                keepOff: "Lascia disattivato per i messaggi"),
            opensHeading: "Messaggi",
            choice: """
                Puoi disattivarlo. I tuoi link continueranno a funzionare e da quel momento su di te non verrà \
                registrato nulla.
                """,
            choiceOfParts: "Puoi disattivare una parte o tutte e due. I tuoi link continueranno a funzionare.",
            undecided: "Non hai ancora detto se deve restare disattivato. Puoi dirlo adesso.",
            linksWork: "I tuoi link continueranno a funzionare.",
            staysOff: "Resta disattivato finché non accetti.",
            aboutPurpose: "Si tratta della finalità \(.purpose).",
            unknownPerson: """
                Della persona a cui \(.sender) ha inviato questo messaggio non si sa più nulla, e su di lei non \
                viene registrato nulla.
                """,
            laterMessages: "Un messaggio che hai ricevuto più tardi ha una sua pagina come questa.",
            turnAllOff: "Disattiva tutto",
            keepAllOff: "Lascia tutto disattivato"),
        preferences: PreferencesTexts(
            title: "Il tracciamento dei messaggi è disattivato",
            notRecorded: """
                Arrivi da un messaggio di \(.sender). Quando apri quel messaggio o un link al suo interno, su di te \
                non viene registrato nulla.
                """,
            sameForAll: "Questa pagina è uguale per tutti. Non sa chi sei.",
            agreeing: "Se vuoi accettare",
            voluntary: """
                Puoi permettere a \(.sender) di registrare quando apri i suoi messaggi e i suoi link. Non devi farlo \
                per forza: tutto funziona anche senza.
                """,
            agreeAt: "Vai alla pagina del mittente: \(.site)",
            askSender: "Se vuoi permetterlo, chiedi a \(.sender).",
            changingYourMind: "Se accetti, puoi cambiare idea e disattivarlo di nuovo in qualsiasi momento."),
        refusals: RefusalTexts(
            linkNotFound: .init(
                title: "Link non trovato",
                detail: """
                    Questo link non è completo o non è mai stato valido. Aprilo di nuovo dal messaggio originale.
                    """),
            linkDisabled: .init(
                title: "Link disattivato",
                detail: "Il mittente del messaggio ha disattivato questo link."),
            linkUnavailable: .init(
                title: "Riprova",
                detail: "In questo momento non è possibile sapere dove porta questo link. Riprova tra poco."),
            wrongMethod: .init(
                title: "Questo link si apre in un altro modo",
                detail: "Apri di nuovo il link dal messaggio originale."),
            pageNotFound: .init(
                title: "Pagina non trovata",
                detail: """
                    Questo indirizzo non è completo o non è mai stato valido. Aprilo di nuovo dal messaggio \
                    originale.
                    """),
            pageUnavailable: .init(
                title: "Riprova",
                detail: "In questo momento non è possibile vedere o cambiare questa scelta. Riprova tra poco.")),
        consentRequests: .italian,
        receipts: .italian)
}
