/// The text that a recipient is shown before they answer, and the values that identify it.
package struct ConsentNotice: Hashable, Sendable {
    package enum Body: Hashable, Sendable {
        /// Plain text, 1–8,192 bytes of UTF-8.
        case text(String)
        /// The address of the text: an http or https URL of 1–2,048 bytes.
        case url(String)
    }

    package let id: String
    package let version: String
    /// The SHA-256 of the text, in 64 lower-case hexadecimal digits.
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

    /// The notice in the form of an answer's evidence.
    package var evidence: ConsentEvidence.Notice {
        .init(id: id, version: version, language: language, sha256: sha256)
    }
}
