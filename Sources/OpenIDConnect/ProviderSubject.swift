/// Identifies an account of the provider for ever; nothing else does.
package struct ProviderSubject: Hashable, Sendable {
    package let issuer: SecureURL
    /// 1 to 255 visible ASCII characters.
    package let subject: String

    package init(issuer: SecureURL, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }
}
