/// The text that a recipient is shown before they answer, and what it is known by.
package struct ConsentNotice: Hashable, Sendable {
    package enum Body: Hashable, Sendable {
        /// Plain text, 1–8,192 bytes of UTF-8.
        case text(String)
        /// Where the text stands: an http or https URL of 1–2,048 bytes.
        case url(String)
    }

    package let id: String
    package let version: String
    /// Of the text, 64 lower-case hexadecimal digits.
    package let sha256: String
    /// A language tag (BCP 47).
    package let language: String
    package let body: Body

    package init(id: String, version: String, sha256: String, language: String, body: Body) {
        self.id = id
        self.version = version
        self.sha256 = sha256
        self.language = language
        self.body = body
    }

    /// The notice as it stands in the evidence of an answer.
    package var evidence: ConsentEvidence.Notice {
        .init(id: id, version: version, language: language, sha256: sha256)
    }
}
