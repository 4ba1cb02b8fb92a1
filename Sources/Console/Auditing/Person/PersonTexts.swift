/// The texts of a person's page, and of the form that leads to it.
struct PersonTexts: Sendable {
    let title: String
    let lead: String
    let caseTitle: String
    let caseLead: String
    /// No look can be recorded, so nothing is shown.
    let ledgerClosed: RefusalTexts.Words
    let recipient: String
    let recipientHint: String
    let reason: String
    let reasonHint: String
    let day: String
    let dayHint: String
    let look: String
    let lookAgain: String
    let about: String
    let because: String
    let show: String
    let allDays: String
    let nothing: String
    let nothingThatDay: String
    let erased: String
    let cut: String
    let caption: String
    let time: String
    let what: String
    let why: String
    let consent: String
    let request: String
    let decision: String
    let interaction: String
    let message: String
    let purpose: String
    let clicksOnly: String
    let opensOnly: String
    let rule: String
    let restsOn: @Sendable (String, String) -> String
    /// Names the record that a decision rests on, by its id, if the page has not read that record.
    let restsOnOther: @Sendable (String) -> String
    let restsOnNothing: String
    let recordedAt: String
    let validUntil: String
    let method: String
    let source: String
    let notice: String
    let link: String
    let proof: String
    let consentProof: String
    let proofHint: String
    let export: String
    let exportHint: String
    let newer: String
    let older: String
    let page: String
    let eraseTitle: String
    let eraseText: String
    let eraseAgain: String
    let eraseButton: String
    let eraseMismatch: String
    /// The person is erased, but files still contain deleted data.
    let uncleared: String
    /// The form that clears the files after a person was erased.
    let clearTitle: String
    let clearText: String
    let clearButton: String
    let erasedTitle: String
    let erasedLead: String
    /// No row named the person: they were erased before.
    let erasedAlready: String
    /// States how many rows no longer name the person. So do the next texts.
    let erasedConsents: String
    let erasedDecisions: String
    let erasedInteractions: String

    /// By their names in the forms.
    var fields: [String: String] { ["recipient": recipient, "reason": reason, "day": day, "page": page] }

    static let all = Wording(english: english, german: german)
}
