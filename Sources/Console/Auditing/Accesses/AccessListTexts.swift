import Consent

/// The texts of the pages about looks.
struct AccessListTexts: Sendable {
    let title: String
    let lead: String
    let who: String
    /// The form of a name.
    let whoHint: String
    let from: String
    let to: String
    let show: String
    let caption: String
    let empty: String
    let time: String
    let what: String
    let reason: String
    let noReason: String
    let older: String
    let newest: String
    let one: String
    let oneLead: String
    let nobody: String
    let reveal: String
    let revealHint: String
    let revealReason: String
    let revealButton: String
    let ofPerson: String
    let ofPersonLead: String
    let person: String
    let because: String
    let back: String
    let looked: @Sendable (AccessedRecords) -> String

    /// By their names in the forms.
    var fields: [String: String] { ["who": who, "from": from, "to": to, "reason": reason, "before": older] }

    static let all = Wording(
        english: AccessListTexts(
            title: "Access",
            lead:
                "Who looked at people, when, at what and why. To see the person, give a reason: that is a look, too.",
            who: "Who",
            whoHint: """
                operator, or key: and the id of a key, such as key:3357d7d9f4000001, or account: and the name of an \
                account.
                """,
            from: "From", to: "Before", show: "Show",
            caption: "Looks at people, newest first", empty: "There was no look at a person in this time.",
            time: "Time", what: "What", reason: "Reason",
            noReason: "not kept", older: "Older looks", newest: "Newest looks",
            one: "A look", oneLead: "The record of the look. It was made before anything was shown.",
            nobody: """
                The person is not known: nothing was stored about them, or they were erased, or the retention of the \
                look has ended.
                """,
            reveal: "Person of this look",
            revealHint: "To see the person, give a reason. This is recorded as a look at the person, too.",
            revealReason: "Reason", revealButton: "Show the person", ofPerson: "Looks at a person",
            ofPersonLead:
                "This page is open in your session alone, and closes after 15 minutes. The look was recorded.",
            person: "Person", because: "Your reason", back: "All looks",
            looked: { what in
                switch what {
                case .consents: "Consent records"
                case .consentRequests: "Consent requests"
                case .decisions: "Decisions"
                case .interactions: "Interactions"
                case .export: "Everything"
                case .accesses: "Looks at them"
                case .timeline: "Timeline"
                }
            }),
        german: AccessListTexts(
            title: "Einsichten",
            lead: """
                Wer Personen ansah, wann, was und warum. Um zu sehen, um wen es ging, nennen Sie einen Grund; auch das ist \
                eine Einsicht.
                """,
            who: "Wer",
            whoHint: """
                operator, oder key: und die ID eines Schlüssels, etwa key:3357d7d9f4000001, oder account: und der Name \
                eines Kontos.
                """,
            from: "Ab", to: "Vor", show: "Zeigen",
            caption: "Einsichten, neueste zuerst", empty: "In dieser Zeit sah niemand eine Person an.", time: "Zeit",
            what: "Was", reason: "Grund", noReason: "nicht gespeichert", older: "Ältere Einsichten",
            newest: "Neueste Einsichten", one: "Eine Einsicht",
            oneLead: "Was von ihr festgehalten wurde, bevor etwas zu sehen war.",
            nobody: """
                Um wen es ging, ist nicht bekannt: Über die Person war nichts gespeichert, oder sie wurde gelöscht, oder \
                Einsichten werden nicht so lange aufbewahrt.
                """,
            reveal: "Um wen ging es?",
            revealHint:
                "Sagen Sie warum, um die Person zu sehen. Auch das wird als Einsicht in die Person festgehalten.",
            revealReason: "Grund", revealButton: "Person zeigen", ofPerson: "Einsichten in eine Person",
            ofPersonLead: "Diese Seite ist nur in Ihrer Sitzung offen, 15 Minuten lang. Die Einsicht ist festgehalten.",
            person: "Person", because: "Ihr Grund", back: "Alle Einsichten",
            looked: { what in
                switch what {
                case .consents: "Einwilligungen"
                case .consentRequests: "Anfragen"
                case .decisions: "Entscheidungen"
                case .interactions: "Interaktionen"
                case .export: "Alles"
                case .accesses: "Einsichten in sie"
                case .timeline: "Verlauf"
                }
            }))
}
