/// The texts about the receipt that a person may keep of their answer, in one language.
package struct ReceiptTexts: Sendable {
    /// Says what a receipt is, that it names the person, and that its link is valid for an hour.
    package let offer: String
    /// The link to the receipt.
    package let save: String
    /// There is no receipt at the address.
    package let notFound: RefusalTexts.Refusal
    /// The hour is over.
    package let expired: RefusalTexts.Refusal
    /// The receipt cannot be made yet.
    package let notReady: RefusalTexts.Refusal
}
