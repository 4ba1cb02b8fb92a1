extension PageTexts {
    static let czech = PageTexts(
        languages: "Jazyk",
        withdrawal: WithdrawalTexts(
            isOn: "Sledování zpráv je zapnuté",
            isPartlyOn: "Sledování zpráv je zčásti zapnuté",
            isOff: "Sledování zpráv je vypnuté",
            everything: .init(
                recorded: "Když otevřete zprávu od \(.sender) nebo odkaz v ní, může se to zaznamenat i s časem.",
                notRecorded: "Když otevřete zprávu od \(.sender) nebo odkaz v ní, nic se o vás nezaznamená.",
                turnOff: "Vypnout sledování",
                keepOff: "Nechat sledování vypnuté"),
            clicks: .init(
                recorded: "Když otevřete odkaz ve zprávě od \(.sender), může se to zaznamenat i s časem.",
                notRecorded: "Když otevřete odkaz ve zprávě od \(.sender), nic se o vás nezaznamená.",
                turnOff: "Vypnout pro odkazy",
                keepOff: "Nechat vypnuté pro odkazy"),
            clicksHeading: "Odkazy",
            opens: .init(
                recorded: "Když otevřete zprávu od \(.sender), může se to zaznamenat i s časem.",
                notRecorded: "Když otevřete zprávu od \(.sender), nic se o vás nezaznamená.",
                turnOff: "Vypnout pro zprávy",
                keepOff: "Nechat vypnuté pro zprávy"),
            opensHeading: "Zprávy",
            choice: "Můžete to vypnout. Odkazy budou fungovat dál a od té chvíle se o vás nic nezaznamená.",
            choiceOfParts: "Můžete vypnout jednu část nebo obě. Odkazy budou fungovat dál.",
            undecided: "Zatím nevíme, jestli to má zůstat vypnuté. Můžete to říct teď.",
            linksWork: "Odkazy budou fungovat dál.",
            staysOff: "Zůstane to vypnuté, dokud s tím nebudete souhlasit.",
            aboutPurpose: "Jde o účel \(.purpose).",
            unknownPerson: """
                O tom, kdo tuto zprávu od \(.sender) dostal, už nic nevíme a nic se o něm nezaznamenává.
                """,
            laterMessages: "Pozdější zpráva má svou vlastní takovou stránku.",
            turnAllOff: "Vypnout všechno",
            keepAllOff: "Nechat všechno vypnuté"),
        preferences: PreferencesTexts(
            title: "Sledování zpráv je vypnuté",
            notRecorded: """
                Tato stránka se otevřela ze zprávy od \(.sender). Když otevřete tu zprávu nebo odkaz v ní, nic se o \
                vás nezaznamená.
                """,
            sameForAll: "Tato stránka je pro všechny stejná. Neví, kdo jste.",
            agreeing: "Pokud chcete souhlasit",
            voluntary: """
                Odesílateli \(.sender) můžete dovolit, aby zaznamenával, kdy otevřete jeho zprávy a odkazy. \
                Nemusíte: všechno funguje i bez toho.
                """,
            agreeAt: "Přejít na stránku odesílatele: \(.site)",
            askSender: "Pokud to chcete dovolit, obraťte se na odesílatele \(.sender).",
            changingYourMind: "Když budete souhlasit, můžete si to kdykoli rozmyslet a zase to vypnout."),
        refusals: RefusalTexts(
            linkNotFound: .init(
                title: "Odkaz nenalezen",
                detail: "Tento odkaz není celý nebo nikdy neplatil. Otevřete ho prosím znovu z původní zprávy."),
            linkDisabled: .init(
                title: "Odkaz je vypnutý",
                detail: "Odesílatel zprávy tento odkaz vypnul."),
            linkUnavailable: .init(
                title: "Zkuste to prosím znovu",
                detail: "Teď nejde zjistit, kam tento odkaz vede. Zkuste to prosím za chvíli znovu."),
            wrongMethod: .init(
                title: "Tento odkaz se otevírá jinak",
                detail: "Otevřete prosím odkaz znovu z původní zprávy."),
            pageNotFound: .init(
                title: "Stránka nenalezena",
                detail: "Tato adresa není celá nebo nikdy neplatila. Otevřete ji prosím znovu z původní zprávy."),
            pageUnavailable: .init(
                title: "Zkuste to prosím znovu",
                detail: "Teď to nejde zjistit ani změnit. Zkuste to prosím za chvíli znovu.")),
        consentRequests: .czech,
        receipts: .czech)
}
