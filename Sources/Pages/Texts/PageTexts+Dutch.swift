extension PageTexts {
    static let dutch = PageTexts(
        languages: "Taal",
        withdrawal: WithdrawalTexts(
            isOn: "Berichten volgen staat aan",
            isPartlyOn: "Berichten volgen staat voor een deel aan",
            isOff: "Berichten volgen staat uit",
            everything: .init(
                recorded: """
                    Als je een bericht van \(.sender) opent of een link erin, kan dat worden vastgelegd, met de \
                    tijd.
                    """,
                notRecorded: """
                    Als je een bericht van \(.sender) opent of een link erin, wordt er niets over je vastgelegd.
                    """,
                turnOff: "Volgen uitzetten",
                keepOff: "Volgen uit laten staan"),
            clicks: .init(
                recorded: """
                    Als je een link in een bericht van \(.sender) opent, kan dat worden vastgelegd, met de tijd.
                    """,
                notRecorded: """
                    Als je een link in een bericht van \(.sender) opent, wordt er niets over je vastgelegd.
                    """,
                turnOff: "Uitzetten voor links",
                keepOff: "Uit laten staan voor links"),
            clicksHeading: "Links",
            opens: .init(
                recorded: "Als je een bericht van \(.sender) opent, kan dat worden vastgelegd, met de tijd.",
                notRecorded: "Als je een bericht van \(.sender) opent, wordt er niets over je vastgelegd.",
                turnOff: "Uitzetten voor berichten",
                keepOff: "Uit laten staan voor berichten"),
            opensHeading: "Berichten",
            choice: """
                Je kunt dit uitzetten. Je links blijven werken, en vanaf dat moment wordt er niets over je \
                vastgelegd.
                """,
            choiceOfParts: "Je kunt één deel uitzetten of allebei. Je links blijven werken.",
            undecided: "Je hebt nog niet gezegd of het uit moet blijven. Dat kun je nu doen.",
            linksWork: "Je links blijven werken.",
            staysOff: "Het blijft uit zolang je er niet mee instemt.",
            aboutPurpose: "Het gaat om het doel \(.purpose).",
            unknownPerson: """
                Over de persoon aan wie \(.sender) dit stuurde is niets meer bekend, en er wordt niets over diegene \
                vastgelegd.
                """,
            laterMessages: "Een bericht dat je later kreeg, heeft een eigen pagina zoals deze.",
            turnAllOff: "Alles uitzetten",
            keepAllOff: "Alles uit laten staan"),
        preferences: PreferencesTexts(
            title: "Berichten volgen staat uit",
            notRecorded: """
                Je komt van een bericht van \(.sender). Als je dat bericht opent of een link erin, wordt er niets \
                over je vastgelegd.
                """,
            sameForAll: "Deze pagina is voor iedereen hetzelfde. Ze weet niet wie je bent.",
            agreeing: "Als je ermee wilt instemmen",
            voluntary: """
                Je kunt \(.sender) toestaan vast te leggen wanneer je berichten en links van deze afzender opent. \
                Het hoeft niet: alles werkt ook zonder.
                """,
            agreeAt: "Naar de pagina van de afzender: \(.site)",
            askSender: "Als je het wilt toestaan, vraag het dan aan \(.sender).",
            changingYourMind: "Als je instemt, kun je altijd van gedachten veranderen en het weer uitzetten."),
        refusals: RefusalTexts(
            linkNotFound: .init(
                title: "Link niet gevonden",
                detail: """
                    Deze link is niet volledig of is nooit geldig geweest. Open hem opnieuw vanuit het \
                    oorspronkelijke bericht.
                    """),
            linkDisabled: .init(
                title: "Link uitgezet",
                detail: "De afzender van het bericht heeft deze link uitgezet."),
            linkUnavailable: .init(
                title: "Probeer het opnieuw",
                detail: "Op dit moment is niet te achterhalen waar deze link naartoe gaat. Probeer het zo nog eens."),
            wrongMethod: .init(
                title: "Deze link gaat op een andere manier open",
                detail: "Open de link opnieuw vanuit het oorspronkelijke bericht."),
            pageNotFound: .init(
                title: "Pagina niet gevonden",
                detail: """
                    Dit adres is niet volledig of is nooit geldig geweest. Open het opnieuw vanuit het \
                    oorspronkelijke bericht.
                    """),
            pageUnavailable: .init(
                title: "Probeer het opnieuw",
                detail: "Dit kan op dit moment niet worden opgezocht of veranderd. Probeer het zo nog eens.")),
        consentRequests: .dutch,
        receipts: .dutch)
}
