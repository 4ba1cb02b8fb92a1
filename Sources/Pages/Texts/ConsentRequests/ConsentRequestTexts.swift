/// What the pages of a consent request say in one language. The initializer has every one of them, so a language that lacks
/// one does not compile.
package struct ConsentRequestTexts: Hashable, Sendable {
    package let title: String
    /// Above the notice.
    package let question: Sentence
    /// The link to a notice that does not stand on the page.
    package let readNotice: String
    package let lookingIsNothing: Sentence
    /// Asks about the purpose `tracking`, whose name says too little.
    package let tracking: Sentence
    /// Asks about the purpose `tracking` beside the purpose `open-tracking`.
    package let clicks: Sentence
    /// Asks about the purpose `open-tracking`.
    package let opens: Sentence
    /// Asks about any other purpose.
    package let purpose: Sentence
    package let yes: String
    package let no: String
    package let saidYes: Sentence
    package let saidNo: Sentence
    /// Until when the answer can be changed.
    package let change: Sentence
    /// After a yes that does not count yet.
    package let awaiting: Sentence
    package let confirmTitle: String
    /// The second page, whose link was sent after a yes.
    package let confirmQuestion: Sentence
    package let confirmYes: String
    /// The person was asked again.
    package let newer: Sentence
    /// An answer from elsewhere came later.
    package let later: Sentence
    package let expiredTitle: String
    /// Above what counts of the answers.
    package let expired: Sentence
    /// The person was erased.
    package let nobody: Sentence
    package let unreadableTitle: String
    /// The form said something else than the page has buttons for.
    package let unreadable: Sentence
}
