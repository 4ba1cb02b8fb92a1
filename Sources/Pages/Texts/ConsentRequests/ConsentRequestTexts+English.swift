extension ConsentRequestTexts {
    static let english = ConsentRequestTexts(
        title: "Your choice",
        question: "\(.sender) asks for your consent. Please read this first:",
        readNotice: "Read the notice",
        lookingIsNothing: "Opening this page records nothing. Only pressing a button does.",
        tracking: "May \(.sender) record when you open its messages and the links in them?",
        clicks: "May \(.sender) record when you follow links in its messages?",
        opens: "May \(.sender) record when you open its messages?",
        purpose: "Do you agree to “\(.purpose)”?",
        yes: "Yes, I agree",
        no: "No, I do not agree",
        saidYes: "You said yes. This counts now.",
        saidNo: "You said no. This counts now.",
        change: "You can change your answer here until \(.date).",
        awaiting: """
            You said yes. It does not count yet: \(.sender) first sends you a second message with a link to confirm \
            it.
            """,
        confirmTitle: "Please confirm",
        confirmQuestion: """
            The link that \(.sender) sent you was answered with yes. Was that you? It counts only if you confirm it \
            here.
            """,
        confirmYes: "Yes, I confirm",
        newer: """
            \(.sender) has asked you again since then. Please answer in the newer message. Nothing is recorded here.
            """,
        later: "A later answer of yours counts. Nothing is recorded here.",
        expiredTitle: "This question has ended",
        expired: "This link is too old. Nothing is recorded here.",
        nobody: "Nothing is known any more of the person whom \(.sender) asked. Nothing is recorded.",
        unreadableTitle: "Not understood",
        unreadable: """
            This answer could not be read. Nothing was recorded. Please go back and press one of the buttons.
            """)
}
