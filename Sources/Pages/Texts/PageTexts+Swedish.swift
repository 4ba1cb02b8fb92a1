extension PageTexts {
    static let swedish = PageTexts(
        languages: "Språk",
        withdrawal: WithdrawalTexts(
            isOn: "Spårning av meddelanden är på",
            isPartlyOn: "Spårning av meddelanden är delvis på",
            isOff: "Spårning av meddelanden är avstängd",
            everything: .init(
                recorded: """
                    När du öppnar ett meddelande från \(.sender) eller en länk i det kan det registreras tillsammans \
                    med tiden.
                    """,
                notRecorded: """
                    När du öppnar ett meddelande från \(.sender) eller en länk i det registreras ingenting om dig.
                    """,
                turnOff: "Stäng av spårning",
                keepOff: "Låt spårning vara avstängd"),
            clicks: .init(
                recorded: """
                    När du öppnar en länk i ett meddelande från \(.sender) kan det registreras tillsammans med \
                    tiden.
                    """,
                notRecorded: "När du öppnar en länk i ett meddelande från \(.sender) registreras ingenting om dig.",
                turnOff: "Stäng av för länkar",
                keepOff: "Låt vara avstängd för länkar"),
            clicksHeading: "Länkar",
            opens: .init(
                recorded: "När du öppnar ett meddelande från \(.sender) kan det registreras tillsammans med tiden.",
                notRecorded: "När du öppnar ett meddelande från \(.sender) registreras ingenting om dig.",
                turnOff: "Stäng av för meddelanden",
                keepOff: "Låt vara avstängd för meddelanden"),
            opensHeading: "Meddelanden",
            choice: """
                Du kan stänga av det. Dina länkar fungerar som förut, och från och med då registreras ingenting om \
                dig.
                """,
            choiceOfParts: "Du kan stänga av den ena delen eller båda. Dina länkar fungerar som förut.",
            undecided: "Du har inte sagt än om det ska fortsätta vara avstängt. Det kan du säga nu.",
            linksWork: "Dina länkar fungerar som förut.",
            staysOff: "Det är avstängt så länge du inte säger ja.",
            aboutPurpose: "Det gäller ändamålet \(.purpose).",
            unknownPerson: """
                Ingenting är längre känt om personen som \(.sender) skickade detta till, och ingenting registreras \
                om den personen.
                """,
            laterMessages: "Ett meddelande som du fick senare har en egen sida som denna.",
            turnAllOff: "Stäng av allt",
            keepAllOff: "Låt allt vara avstängt"),
        preferences: PreferencesTexts(
            title: "Spårning av meddelanden är avstängd",
            notRecorded: """
                Du kom hit från ett meddelande från \(.sender). När du öppnar det meddelandet eller en länk i det \
                registreras ingenting om dig.
                """,
            sameForAll: "Den här sidan är likadan för alla. Den vet inte vem du är.",
            agreeing: "Om du vill säga ja",
            voluntary: """
                Du kan låta \(.sender) registrera när du öppnar meddelanden och länkar därifrån. Du måste inte: allt \
                fungerar ändå.
                """,
            agreeAt: "Gå till avsändarens sida: \(.site)",
            askSender: "Om du vill tillåta det, fråga \(.sender).",
            changingYourMind: "Om du säger ja kan du när som helst ändra dig och stänga av det igen."),
        refusals: RefusalTexts(
            linkNotFound: .init(
                title: "Länken hittades inte",
                detail: """
                    Länken är inte hel eller har aldrig varit giltig. Öppna den igen från det ursprungliga \
                    meddelandet.
                    """),
            linkDisabled: .init(
                title: "Länken är avstängd",
                detail: "Meddelandets avsändare har stängt av den här länken."),
            linkUnavailable: .init(
                title: "Försök igen",
                detail: "Just nu går det inte att ta reda på vart länken leder. Försök igen om en stund."),
            wrongMethod: .init(
                title: "Den här länken öppnas på ett annat sätt",
                detail: "Öppna länken igen från det ursprungliga meddelandet."),
            pageNotFound: .init(
                title: "Sidan hittades inte",
                detail: """
                    Adressen är inte hel eller har aldrig varit giltig. Öppna den igen från det ursprungliga \
                    meddelandet.
                    """),
            pageUnavailable: .init(
                title: "Försök igen",
                detail: "Det går inte att se eller ändra detta just nu. Försök igen om en stund.")),
        consentRequests: .swedish,
        receipts: .swedish)
}
