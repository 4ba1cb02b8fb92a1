extension PageTexts {
    static let german = PageTexts(
        languages: "Sprache",
        withdrawal: WithdrawalTexts(
            isOn: "Tracking von Nachrichten ist an",
            isPartlyOn: "Tracking von Nachrichten ist teilweise an",
            isOff: "Tracking von Nachrichten ist aus",
            everything: .init(
                recorded: """
                    Wenn Sie eine Nachricht von \(.sender) oder einen Link darin öffnen, kann das mit der Uhrzeit \
                    gespeichert werden.
                    """,
                notRecorded: """
                    Wenn Sie eine Nachricht von \(.sender) oder einen Link darin öffnen, wird nichts über Sie \
                    gespeichert.
                    """,
                turnOff: "Tracking ausschalten",
                keepOff: "Tracking ausgeschaltet lassen"),
            clicks: .init(
                recorded: """
                    Wenn Sie einen Link in einer Nachricht von \(.sender) öffnen, kann das mit der Uhrzeit \
                    gespeichert werden.
                    """,
                notRecorded: """
                    Wenn Sie einen Link in einer Nachricht von \(.sender) öffnen, wird nichts über Sie gespeichert.
                    """,
                turnOff: "Für Links ausschalten",
                keepOff: "Für Links ausgeschaltet lassen"),
            clicksHeading: "Links",
            opens: .init(
                recorded: """
                    Wenn Sie eine Nachricht von \(.sender) öffnen, kann das mit der Uhrzeit gespeichert werden.
                    """,
                notRecorded: "Wenn Sie eine Nachricht von \(.sender) öffnen, wird nichts über Sie gespeichert.",
                turnOff: "Für Nachrichten ausschalten",
                keepOff: "Für Nachrichten ausgeschaltet lassen"),
            opensHeading: "Nachrichten",
            choice: """
                Sie können das ausschalten. Ihre Links funktionieren weiter, und von da an wird nichts über Sie \
                gespeichert.
                """,
            choiceOfParts: "Sie können einen Teil ausschalten oder beide. Ihre Links funktionieren weiter.",
            undecided: "Sie haben noch nicht gesagt, ob es ausgeschaltet bleiben soll. Das können Sie jetzt tun.",
            linksWork: "Ihre Links funktionieren weiter.",
            staysOff: "Es bleibt ausgeschaltet, solange Sie nicht zustimmen.",
            aboutPurpose: "Es geht um den Zweck \(.purpose).",
            unknownPerson: """
                Über die Person, der \(.sender) das geschickt hat, ist nichts mehr bekannt, und nichts wird über sie \
                gespeichert.
                """,
            laterMessages: "Eine Nachricht, die Sie später bekommen haben, hat eine eigene Seite wie diese.",
            turnAllOff: "Alles ausschalten",
            keepAllOff: "Alles ausgeschaltet lassen"),
        preferences: PreferencesTexts(
            title: "Tracking von Nachrichten ist aus",
            notRecorded: """
                Sie kommen von einer Nachricht von \(.sender). Wenn Sie diese Nachricht oder einen Link darin \
                öffnen, wird nichts über Sie gespeichert.
                """,
            sameForAll: "Diese Seite ist für alle gleich. Sie weiß nicht, wer Sie sind.",
            agreeing: "Wenn Sie zustimmen möchten",
            voluntary: """
                Sie können \(.sender) erlauben zu speichern, wann Sie Nachrichten und Links von dort öffnen. Sie \
                müssen das nicht: Alles funktioniert auch ohne.
                """,
            agreeAt: "Zur Seite des Absenders: \(.site)",
            askSender: "Wenn Sie es erlauben möchten, wenden Sie sich an \(.sender).",
            changingYourMind: """
                Wenn Sie zustimmen, können Sie es sich jederzeit anders überlegen und es wieder ausschalten.
                """),
        refusals: RefusalTexts(
            linkNotFound: .init(
                title: "Link nicht gefunden",
                detail: """
                    Dieser Link ist nicht vollständig oder war nie gültig. Bitte öffnen Sie ihn noch einmal aus der \
                    ursprünglichen Nachricht.
                    """),
            linkDisabled: .init(
                title: "Link abgeschaltet",
                detail: "Der Absender der Nachricht hat diesen Link abgeschaltet."),
            linkUnavailable: .init(
                title: "Bitte noch einmal versuchen",
                detail: """
                    Wohin dieser Link führt, lässt sich gerade nicht feststellen. Bitte versuchen Sie es gleich noch \
                    einmal.
                    """),
            wrongMethod: .init(
                title: "Dieser Link wird anders geöffnet",
                detail: "Bitte öffnen Sie den Link noch einmal aus der ursprünglichen Nachricht."),
            pageNotFound: .init(
                title: "Seite nicht gefunden",
                detail: """
                    Diese Adresse ist nicht vollständig oder war nie gültig. Bitte öffnen Sie sie noch einmal aus \
                    der ursprünglichen Nachricht.
                    """),
            pageUnavailable: .init(
                title: "Bitte noch einmal versuchen",
                detail: """
                    Das lässt sich gerade nicht nachsehen oder ändern. Bitte versuchen Sie es gleich noch einmal.
                    """)),
        consentRequests: .german,
        receipts: .german)
}
