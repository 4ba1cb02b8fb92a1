extension PageTexts {
    static let danish = PageTexts(
        languages: "Sprog",
        withdrawal: WithdrawalTexts(
            isOn: "Sporing af beskeder er slået til",
            isPartlyOn: "Sporing af beskeder er delvist slået til",
            isOff: "Sporing af beskeder er slået fra",
            everything: .init(
                recorded: """
                    Når du åbner en besked fra \(.sender) eller et link i den, kan det blive registreret sammen med \
                    tidspunktet.
                    """,
                notRecorded: """
                    Når du åbner en besked fra \(.sender) eller et link i den, bliver intet registreret om dig.
                    """,
                turnOff: "Slå sporing fra",
                keepOff: "Lad sporing være slået fra"),
            clicks: .init(
                recorded: """
                    Når du åbner et link i en besked fra \(.sender), kan det blive registreret sammen med \
                    tidspunktet.
                    """,
                notRecorded: "Når du åbner et link i en besked fra \(.sender), bliver intet registreret om dig.",
                turnOff: "Slå fra for links",
                keepOff: "Lad være slået fra for links"),
            clicksHeading: "Links",
            opens: .init(
                recorded: """
                    Når du åbner en besked fra \(.sender), kan det blive registreret sammen med tidspunktet.
                    """,
                notRecorded: "Når du åbner en besked fra \(.sender), bliver intet registreret om dig.",
                turnOff: "Slå fra for beskeder",
                keepOff: "Lad være slået fra for beskeder"),
            opensHeading: "Beskeder",
            choice: "Du kan slå det fra. Dine links virker stadig, og fra da af bliver intet registreret om dig.",
            choiceOfParts: "Du kan slå den ene del fra eller begge. Dine links virker stadig.",
            undecided: "Du har ikke sagt endnu, om det skal blive ved med at være slået fra. Det kan du sige nu.",
            linksWork: "Dine links virker stadig.",
            staysOff: "Det bliver ved med at være slået fra, medmindre du siger ja til det.",
            aboutPurpose: "Det handler om formålet \(.purpose).",
            unknownPerson: """
                Der vides ikke længere noget om den person, som \(.sender) sendte dette til, og intet bliver \
                registreret om vedkommende.
                """,
            laterMessages: "En besked, som du fik senere, har sin egen side som denne.",
            turnAllOff: "Slå det hele fra",
            keepAllOff: "Lad det hele være slået fra"),
        preferences: PreferencesTexts(
            title: "Sporing af beskeder er slået fra",
            notRecorded: """
                Du kom hertil fra en besked fra \(.sender). Når du åbner den besked eller et link i den, bliver \
                intet registreret om dig.
                """,
            sameForAll: "Denne side er ens for alle. Den ved ikke, hvem du er.",
            agreeing: "Hvis du vil sige ja",
            voluntary: """
                Du kan give \(.sender) lov til at registrere, hvornår du åbner beskeder og links derfra. Det behøver \
                du ikke: Alt virker også uden.
                """,
            agreeAt: "Gå til afsenderens side: \(.site)",
            askSender: "Hvis du vil give lov, så spørg \(.sender).",
            changingYourMind: "Hvis du siger ja, kan du altid ombestemme dig og slå det fra igen."),
        refusals: RefusalTexts(
            linkNotFound: .init(
                title: "Linket blev ikke fundet",
                detail: """
                    Linket er ikke helt eller har aldrig været gyldigt. Åbn det igen fra den oprindelige besked.
                    """),
            linkDisabled: .init(
                title: "Linket er slået fra",
                detail: "Afsenderen af beskeden har slået dette link fra."),
            linkUnavailable: .init(
                title: "Prøv igen",
                detail: "Lige nu kan vi ikke finde ud af, hvor linket fører hen. Prøv igen om lidt."),
            wrongMethod: .init(
                title: "Dette link åbnes på en anden måde",
                detail: "Åbn linket igen fra den oprindelige besked."),
            pageNotFound: .init(
                title: "Siden blev ikke fundet",
                detail: """
                    Adressen er ikke hel eller har aldrig været gyldig. Åbn den igen fra den oprindelige besked.
                    """),
            pageUnavailable: .init(
                title: "Prøv igen",
                detail: "Det kan ikke slås op eller ændres lige nu. Prøv igen om lidt.")),
        consentRequests: .danish,
        receipts: .danish)
}
