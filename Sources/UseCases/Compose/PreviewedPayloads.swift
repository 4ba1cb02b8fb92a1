package import Consent
package import Formats
package import Identifiers

/// The payloads that recipients would get, and why. Nothing of it is stored or signed, and its links lead nowhere.
package struct PreviewedPayloads: Sendable {
    package let message: MessageID?
    package let compiled: CompiledMessage
    package let recipients: [RecipientID]
    /// The reasons for each of the recipients.
    package let reasons: [PerActivity<DecisionReason>]
}
