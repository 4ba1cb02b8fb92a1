/// All texts of pages in one language. A language that lacks a sentence does not compile.
///
/// Written for a reader of twelve: short sentences, everyday words, nothing that pushes the reader to one answer.
package struct PageTexts: Sendable {
    /// The name of the list of languages, for readers who use a screen reader.
    let languages: String
    package let withdrawal: WithdrawalTexts
    package let preferences: PreferencesTexts
    package let refusals: RefusalTexts
    package let consentRequests: ConsentRequestTexts
    package let receipts: ReceiptTexts
}

extension PageLanguage {
    package var texts: PageTexts {
        switch self {
        case .czech: .czech
        case .danish: .danish
        case .german: .german
        case .english: .english
        case .spanish: .spanish
        case .finnish: .finnish
        case .french: .french
        case .italian: .italian
        case .dutch: .dutch
        case .polish: .polish
        case .portuguese: .portuguese
        case .swedish: .swedish
        }
    }
}

/// The page on which a person sees whether they are tracked, and ends it.
package struct WithdrawalTexts: Sendable {
    /// An activity that can be recorded of a person, or a part of it.
    package struct Activity: Sendable {
        package let recorded: Sentence
        package let notRecorded: Sentence
        /// A button: ends the present recording.
        package let turnOff: String
        /// A button: recording stays off.
        package let keepOff: String
    }

    /// Headings: all can be recorded, one of two parts, or nothing.
    package let isOn: String
    package let isPartlyOn: String
    package let isOff: String
    /// Opening messages and their links, if both have one purpose.
    package let everything: Activity
    /// Links, if messages and links are asked for separately, and the heading above them.
    package let clicks: Activity
    package let clicksHeading: String
    /// Messages, if messages and links are asked for separately, and the heading above them.
    package let opens: Activity
    package let opensHeading: String
    /// Says that it can be turned off, and what that means.
    package let choice: Sentence
    /// Says that messages and links can be turned off separately, if they are asked for separately.
    package let choiceOfParts: Sentence
    /// It is off, and the person has not said no.
    package let undecided: Sentence
    package let linksWork: Sentence
    package let staysOff: Sentence
    /// Shown if the purpose is not the usual one, and if there may be others.
    package let aboutPurpose: Sentence
    /// The person was erased.
    package let unknownPerson: Sentence
    package let laterMessages: Sentence
    /// Buttons for both parts.
    package let turnAllOff: String
    package let keepAllOff: String
}

/// The common page of an organization for all recipients who are not tracked. It is the same for all of them.
package struct PreferencesTexts: Sendable {
    package let title: String
    package let notRecorded: Sentence
    package let sameForAll: Sentence
    /// The heading above how to give consent.
    package let agreeing: String
    package let voluntary: Sentence
    /// A link to the organization's own page, which names its host.
    package let agreeAt: Sentence
    /// Shown if the organization has no page of its own.
    package let askSender: Sentence
    package let changingYourMind: Sentence
}

/// The text of a page in place of the requested one.
package struct RefusalTexts: Sendable {
    package struct Refusal: Sendable {
        package let title: String
        package let detail: String
    }

    package let linkNotFound: Refusal
    package let linkDisabled: Refusal
    package let linkUnavailable: Refusal
    /// The request's method cannot open a link.
    package let wrongMethod: Refusal
    package let pageNotFound: Refusal
    package let pageUnavailable: Refusal
}
