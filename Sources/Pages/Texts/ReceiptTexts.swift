/// What pages say of the receipt that a person may keep of their answer, in one language.
package struct ReceiptTexts: Sendable {
    /// What a receipt is, that it names the person, and that the link to it works for an hour.
    package let offer: String
    /// A link to it.
    package let save: String
    /// The address leads to none.
    package let notFound: RefusalTexts.Refusal
    /// The hour is over.
    package let expired: RefusalTexts.Refusal
    /// It cannot be made yet.
    package let notReady: RefusalTexts.Refusal
}
