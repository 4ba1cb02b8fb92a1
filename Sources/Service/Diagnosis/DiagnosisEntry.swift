/// One thing that was checked, and what to do if it is wrong.
package struct DiagnosisEntry: Hashable, Sendable {
    /// What was checked, in one word.
    package let subject: String
    /// What was found.
    package let text: String
    /// What to do; `nil` if nothing is wrong.
    package let remedy: String?

    init(_ subject: String, _ text: String, remedy: String? = nil) {
        self.subject = subject
        self.text = text
        self.remedy = remedy
    }
}
