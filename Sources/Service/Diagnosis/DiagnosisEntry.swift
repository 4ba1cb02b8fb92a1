/// One thing that was looked at, and what to do when it is not as it should be.
package struct DiagnosisEntry: Hashable, Sendable {
    /// What was looked at, in one word.
    package let subject: String
    /// What was found.
    package let text: String
    /// What to do; `nil` while all is well.
    package let remedy: String?

    package init(_ subject: String, _ text: String, remedy: String? = nil) {
        self.subject = subject
        self.text = text
        self.remedy = remedy
    }
}
