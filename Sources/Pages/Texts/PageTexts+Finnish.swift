extension PageTexts {
    static let finnish = PageTexts(
        languages: "Kieli",
        withdrawal: WithdrawalTexts(
            isOn: "Viestien seuranta on päällä",
            isPartlyOn: "Viestien seuranta on osittain päällä",
            isOff: "Viestien seuranta on pois päältä",
            everything: .init(
                recorded: """
                    Kun avaat lähettäjän \(.sender) viestin tai siinä olevan linkin, siitä voidaan tallentaa tieto \
                    ja kellonaika.
                    """,
                notRecorded: """
                    Kun avaat lähettäjän \(.sender) viestin tai siinä olevan linkin, sinusta ei tallenneta mitään.
                    """,
                turnOff: "Ota seuranta pois päältä",
                keepOff: "Pidä seuranta pois päältä"),
            clicks: .init(
                recorded: """
                    Kun avaat linkin lähettäjän \(.sender) viestissä, siitä voidaan tallentaa tieto ja kellonaika.
                    """,
                notRecorded: "Kun avaat linkin lähettäjän \(.sender) viestissä, sinusta ei tallenneta mitään.",
                turnOff: "Ota pois päältä linkeiltä",
                keepOff: "Pidä pois päältä linkeiltä"),
            clicksHeading: "Linkit",
            opens: .init(
                recorded: "Kun avaat lähettäjän \(.sender) viestin, siitä voidaan tallentaa tieto ja kellonaika.",
                notRecorded: "Kun avaat lähettäjän \(.sender) viestin, sinusta ei tallenneta mitään.",
                turnOff: "Ota pois päältä viesteiltä",
                keepOff: "Pidä pois päältä viesteiltä"),
            opensHeading: "Viestit",
            choice: """
                Voit ottaa seurannan pois päältä. Linkit toimivat edelleen, eikä sinusta sen jälkeen tallenneta \
                mitään.
                """,
            choiceOfParts: "Voit ottaa pois päältä toisen osan tai molemmat. Linkit toimivat edelleen.",
            undecided: "Et ole vielä sanonut, pitääkö seurannan pysyä pois päältä. Voit sanoa sen nyt.",
            linksWork: "Linkit toimivat edelleen.",
            staysOff: "Seuranta pysyy pois päältä, ellet anna siihen lupaa.",
            aboutPurpose: "Tämä koskee tarkoitusta \(.purpose).",
            unknownPerson: """
                Henkilöstä, jolle \(.sender) lähetti tämän, ei enää tiedetä mitään, eikä hänestä tallenneta mitään.
                """,
            laterMessages: "Myöhemmin saamassasi viestissä on oma tällainen sivunsa.",
            turnAllOff: "Ota kaikki pois päältä",
            keepAllOff: "Pidä kaikki pois päältä"),
        preferences: PreferencesTexts(
            title: "Viestien seuranta on pois päältä",
            notRecorded: """
                Tulit tänne lähettäjän \(.sender) viestistä. Kun avaat sen viestin tai siinä olevan linkin, sinusta \
                ei tallenneta mitään.
                """,
            sameForAll: "Tämä sivu on kaikille sama. Se ei tiedä, kuka olet.",
            agreeing: "Jos haluat antaa luvan",
            voluntary: """
                Voit antaa lähettäjälle \(.sender) luvan tallentaa, milloin avaat sen viestejä ja linkkejä. Sinun ei \
                ole pakko: kaikki toimii ilmankin.
                """,
            agreeAt: "Siirry lähettäjän sivulle: \(.site)",
            askSender: "Jos haluat antaa luvan, kysy lähettäjältä: \(.sender).",
            changingYourMind: """
                Jos annat luvan, voit muuttaa mielesi ja ottaa seurannan taas pois päältä milloin vain.
                """),
        refusals: RefusalTexts(
            linkNotFound: .init(
                title: "Linkkiä ei löytynyt",
                detail: """
                    Linkki ei ole kokonainen tai se ei ole koskaan toiminut. Avaa se uudelleen alkuperäisestä \
                    viestistä.
                    """),
            linkDisabled: .init(
                title: "Linkki on poistettu käytöstä",
                detail: "Viestin lähettäjä on poistanut tämän linkin käytöstä."),
            linkUnavailable: .init(
                title: "Yritä uudelleen",
                detail: "Juuri nyt ei saada selville, mihin tämä linkki vie. Yritä hetken kuluttua uudelleen."),
            wrongMethod: .init(
                title: "Tämä linkki avataan toisella tavalla",
                detail: "Avaa linkki uudelleen alkuperäisestä viestistä."),
            pageNotFound: .init(
                title: "Sivua ei löytynyt",
                detail: """
                    Osoite ei ole kokonainen tai se ei ole koskaan toiminut. Avaa se uudelleen alkuperäisestä \
                    viestistä.
                    """),
            pageUnavailable: .init(
                title: "Yritä uudelleen",
                detail: "Tietoa ei voi juuri nyt katsoa tai muuttaa. Yritä hetken kuluttua uudelleen.")),
        consentRequests: .finnish,
        receipts: .finnish)
}
