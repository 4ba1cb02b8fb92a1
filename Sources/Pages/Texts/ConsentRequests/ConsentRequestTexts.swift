/// The texts of a consent request's pages in one language. The initializer requires all of them, so a language that
/// lacks one does not compile.
package struct ConsentRequestTexts: Hashable, Sendable {
    package let title: String
    /// Above the notice.
    package let question: Sentence
    /// The link to a notice whose text is not on the page.
    package let readNotice: String
    package let lookingIsNothing: Sentence
    /// Asks about the purpose `tracking`, whose name is not clear enough.
    package let tracking: Sentence
    /// Asks about the purpose `tracking` together with the purpose `open-tracking`.
    package let clicks: Sentence
    /// Asks about the purpose `open-tracking`.
    package let opens: Sentence
    /// Asks about any other purpose.
    package let purpose: Sentence
    package let yes: String
    package let no: String
    package let saidYes: Sentence
    package let saidNo: Sentence
    /// Says until when the answer can be changed.
    package let change: Sentence
    /// Shown after a yes that does not count yet.
    package let awaiting: Sentence
    package let confirmTitle: String
    /// The second page, whose link was sent after a yes.
    package let confirmQuestion: Sentence
    package let confirmYes: String
    /// The person was asked again.
    package let newer: Sentence
    /// An answer from another source came later.
    package let later: Sentence
    package let expiredTitle: String
    /// Shown above the answers that count.
    package let expired: Sentence
    /// The person was erased.
    package let nobody: Sentence
    package let unreadableTitle: String
    /// The form had a value for which the page has no button.
    package let unreadable: Sentence
}
