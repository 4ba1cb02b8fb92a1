extension PersonTexts {
    static let english = PersonTexts(
        title: "Person",
        lead:
            "Why was a person tracked, or not? Every look is recorded with its reason before anything is shown.",
        caseTitle: "A person’s timeline",
        caseLead: "This page is open in your session alone, and closes after 15 minutes. The look was recorded.",
        ledgerClosed: .init(
            title: "The ledger is closed",
            text: "No look can be recorded in it, so nothing is shown. The page Ledger says what you can do."),
        recipient: "Identifier of the person",
        recipientHint: "As your systems know them, such as a mail address. Spaces count, also at the end.",
        reason: "Reason",
        reasonHint: "Such as the number of a complaint. Other auditors read it: do not name the person in it.",
        day: "Day",
        dayHint: "Leave it empty for everything.", look: "Show the timeline", lookAgain: "Look up another person",
        about: "Person", because: "Reason", show: "Show", allDays: "All days",
        nothing: "Nothing is stored about this person.",
        nothingThatDay: "Nothing happened on this day.",
        erased: """
            This person was erased, and has given no consent since. Earlier data is deleted for good. The time of the \
            erasure is not known: the ledger has the time of each erasure, but not the person.
            """,
        cut: "There is more than this page can read. Choose a day, or download all stored data.",
        caption: "Timeline", time: "Time",
        what: "What", why: "Why", consent: "Consent", request: "Request", decision: "Decision",
        interaction: "Interaction", message: "Message", purpose: "Purpose", clicksOnly: "about links alone",
        opensOnly: "about opening alone", rule: "Rule of that time",
        restsOn: { state, time in "It rests on this record: “\(state)”, \(time)." },
        restsOnOther: { "It rests on the consent record \($0), which this page could not read." },
        restsOnNothing: "No consent record applied.", recordedAt: "Recorded", validUntil: "Valid until",
        method: "Method", source: "Source", notice: "Notice", link: "Link",
        proof: "Download the proof of this decision",
        consentProof: "Download the proof of this consent record",
        proofHint: """
            A proof needs no trust in this service: consentlink verify FILE --key KEY checks it. The key stands on the page \
            Ledger. Each download is recorded as a look.
            """,
        export: "Download all stored data",
        exportHint: "One JSON document, for the answer to a request for access (GDPR, article 15).", newer: "Newer",
        older: "Older", page: "Page", eraseTitle: "Erase this person",
        eraseText: """
            All stored data about the person is deleted, and they are never tracked again without a new consent. \
            Proofs stay valid, but they no longer name the person. This cannot be undone.
            """,
        eraseAgain: "Type the identifier again", eraseButton: "Erase for good",
        eraseMismatch: "This is not the identifier of the person. Nothing was erased.",
        uncleared: """
            The person is erased. But another reader still uses an older state of the files, so the deleted data could \
            not be cleared from them. Please try again.
            """,
        clearTitle: "Clear the files again",
        clearText: """
            An erasure also clears the deleted data from the files. Repeat this step if the erasure said that it could \
            not do so.
            """,
        clearButton: "Clear again", erasedTitle: "Erased",
        erasedLead: "The person was erased. Rows that no longer name the person:",
        erasedAlready: "The person is erased, and the files are cleared. Further rows that lost their person:",
        erasedConsents: "Consent records", erasedDecisions: "Decisions", erasedInteractions: "Interactions")
}
