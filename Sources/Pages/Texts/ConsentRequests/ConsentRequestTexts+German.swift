extension ConsentRequestTexts {
    static let german = ConsentRequestTexts(
        title: "Ihre Entscheidung",
        question: "\(.sender) bittet um Ihre Einwilligung. Bitte lesen Sie zuerst diesen Text:",
        readNotice: "Hinweis lesen",
        lookingIsNothing: """
            Wenn Sie diese Seite nur öffnen, wird nichts aufgezeichnet. Erst ein Druck auf einen Knopf zählt.
            """,
        tracking: "Darf \(.sender) aufzeichnen, wann Sie Nachrichten und die Links darin öffnen?",
        clicks: "Darf \(.sender) aufzeichnen, wann Sie Links in Nachrichten öffnen?",
        opens: "Darf \(.sender) aufzeichnen, wann Sie Nachrichten öffnen?",
        purpose: "Sind Sie mit „\(.purpose)“ einverstanden?",
        yes: "Ja, ich stimme zu",
        no: "Nein, ich stimme nicht zu",
        saidYes: "Sie haben Ja gesagt. Das gilt jetzt.",
        saidNo: "Sie haben Nein gesagt. Das gilt jetzt.",
        change: "Sie können Ihre Antwort hier bis \(.date) ändern.",
        awaiting: """
            Sie haben Ja gesagt. Das gilt noch nicht: \(.sender) schickt Ihnen zuerst eine zweite Nachricht mit \
            einem Link zum Bestätigen.
            """,
        confirmTitle: "Bitte bestätigen",
        confirmQuestion: """
            Unter dem Link, den \(.sender) Ihnen geschickt hat, wurde mit Ja geantwortet. Waren Sie das? Es gilt \
            nur, wenn Sie es hier bestätigen.
            """,
        confirmYes: "Ja, ich bestätige",
        newer: """
            \(.sender) hat Sie inzwischen noch einmal gefragt. Bitte antworten Sie in der neueren Nachricht. Hier \
            wird nichts aufgezeichnet.
            """,
        later: "Es gilt eine spätere Antwort von Ihnen. Hier wird nichts aufgezeichnet.",
        expiredTitle: "Diese Frage ist abgelaufen",
        expired: "Dieser Link ist zu alt. Hier wird nichts aufgezeichnet.",
        nobody: "Über die Person, die \(.sender) gefragt hat, ist nichts mehr bekannt. Es wird nichts aufgezeichnet.",
        unreadableTitle: "Nicht verstanden",
        unreadable: """
            Diese Antwort war nicht lesbar. Es wurde nichts aufgezeichnet. Bitte gehen Sie zurück und drücken Sie \
            einen der Knöpfe.
            """)
}
