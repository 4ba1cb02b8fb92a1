/// Everything that pages say in one language. A sentence that a language lacks does not compile.
///
/// Written for a reader of twelve: short sentences, everyday words, nothing that pushes the reader to either answer.
package struct PageTexts: Sendable {
    /// What the list of languages is called, for readers who hear the page.
    package let languages: String
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
    /// What can be recorded of a person, or a part of it.
    package struct Activity: Sendable {
        package let recorded: Sentence
        package let notRecorded: Sentence
        /// A button: what is recorded now is no longer.
        package let turnOff: String
        /// A button: what is not recorded now stays so.
        package let keepOff: String
    }

    /// Headings: all of it can be recorded, one of two parts, nothing.
    package let isOn: String
    package let isPartlyOn: String
    package let isOff: String
    /// Opening messages and their links, where both have one purpose.
    package let everything: Activity
    /// Links, where messages and links are asked for apart, and the heading above it.
    package let clicks: Activity
    package let clicksHeading: String
    /// Messages, where messages and links are asked for apart, and the heading above it.
    package let opens: Activity
    package let opensHeading: String
    /// It can be turned off, and what that means.
    package let choice: Sentence
    /// The same, where messages and links are asked for apart.
    package let choiceOfParts: Sentence
    /// It is off, and the person has not said no.
    package let undecided: Sentence
    package let linksWork: Sentence
    package let staysOff: Sentence
    /// Where the purpose is not the usual one.
    package let aboutPurpose: Sentence
    /// The person was erased.
    package let unknownPerson: Sentence
    package let laterMessages: Sentence
    /// Buttons for both parts.
    package let turnAllOff: String
    package let keepAllOff: String
}

/// The page of an organization for everybody who is not tracked. It is the same for all of them.
package struct PreferencesTexts: Sendable {
    package let title: String
    package let notRecorded: Sentence
    package let sameForAll: Sentence
    /// The heading of what follows.
    package let agreeing: String
    package let voluntary: Sentence
    /// A link to the organization's own page, which names its host.
    package let agreeAt: Sentence
    /// Where the organization names no page.
    package let askSender: Sentence
    package let changingYourMind: Sentence
}

/// What a page says instead of what was asked for.
package struct RefusalTexts: Sendable {
    package struct Refusal: Sendable {
        package let title: String
        package let detail: String
    }

    package let linkNotFound: Refusal
    package let linkSwitchedOff: Refusal
    package let linkUnavailable: Refusal
    /// Not a way to open a link.
    package let wrongMethod: Refusal
    package let pageNotFound: Refusal
    package let pageUnavailable: Refusal
}
