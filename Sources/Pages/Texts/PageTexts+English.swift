extension PageTexts {
    static let english = PageTexts(
        languages: "Language",
        withdrawal: WithdrawalTexts(
            isOn: "Message tracking is on",
            isPartlyOn: "Message tracking is partly on",
            isOff: "Message tracking is off",
            everything: .init(
                recorded: """
                    When you open a message from \(.sender) or a link in it, that can be recorded, with the time.
                    """,
                notRecorded: """
                    When you open a message from \(.sender) or a link in it, nothing is recorded about you.
                    """,
                turnOff: "Turn tracking off",
                keepOff: "Keep tracking off"),
            clicks: .init(
                recorded: "When you open a link in a message from \(.sender), that can be recorded, with the time.",
                notRecorded: "When you open a link in a message from \(.sender), nothing is recorded about you.",
                turnOff: "Turn off for links",
                keepOff: "Keep off for links"),
            clicksHeading: "Links",
            opens: .init(
                recorded: "When you open a message from \(.sender), that can be recorded, with the time.",
                notRecorded: "When you open a message from \(.sender), nothing is recorded about you.",
                turnOff: "Turn off for messages",
                keepOff: "Keep off for messages"),
            opensHeading: "Messages",
            choice: """
                You can turn this off. Your links will keep working, and from then on nothing is recorded about you.
                """,
            choiceOfParts: "You can turn off one part or both. Your links will keep working.",
            undecided: "You have not said yet whether it should stay off. You can say so now.",
            linksWork: "Your links will keep working.",
            staysOff: "It stays off unless you agree to it.",
            aboutPurpose: "This is about the purpose \(.purpose).",
            unknownPerson: """
                Nothing is known any more about the person to whom \(.sender) sent this, and nothing is recorded \
                about them.
                """,
            laterMessages: "A message that you got later has a page like this of its own.",
            turnAllOff: "Turn everything off",
            keepAllOff: "Keep everything off"),
        preferences: PreferencesTexts(
            title: "Message tracking is off",
            notRecorded: """
                You came here from a message from \(.sender). When you open that message or a link in it, nothing is \
                recorded about you.
                """,
            sameForAll: "This page is the same for everyone. It does not know who you are.",
            agreeing: "If you want to agree",
            voluntary: """
                You can allow \(.sender) to record when you open its messages and links. You do not have to: \
                everything works without it.
                """,
            agreeAt: "Go to the page of the sender: \(.site)",
            askSender: "If you want to allow it, ask \(.sender).",
            changingYourMind: "If you agree, you can change your mind and turn it off again at any time."),
        refusals: RefusalTexts(
            linkNotFound: .init(
                title: "Link not found",
                detail: """
                    This link is not complete or was never valid. Please open it again from the original message.
                    """),
            linkDisabled: .init(
                title: "Link switched off",
                detail: "The sender of the message has switched this link off."),
            linkUnavailable: .init(
                title: "Please try again",
                detail: "We cannot find out right now where this link leads. Please try again in a moment."),
            wrongMethod: .init(
                title: "This link opens in another way",
                detail: "Please open the link again from the original message."),
            pageNotFound: .init(
                title: "Page not found",
                detail: """
                    This address is not complete or was never valid. Please open it again from the original message.
                    """),
            pageUnavailable: .init(
                title: "Please try again",
                detail: "This cannot be looked up or changed right now. Please try again in a moment.")),
        consentRequests: .english,
        receipts: .english)
}
