/// How a consent was obtained, in the words of the backend that recorded it. All of it is optional and none of it is
/// interpreted.
package struct ConsentEvidence: Hashable, Sendable {
    /// The notice that the recipient was shown.
    package struct Notice: Hashable, Sendable {
        package var id: String?
        package var version: String?
        package var language: String?
        /// Digest of the notice's text, so that its wording can be proved later.
        package var sha256: String?

        package init(id: String? = nil, version: String? = nil, language: String? = nil, sha256: String? = nil) {
            self.id = id
            self.version = version
            self.language = language
            self.sha256 = sha256
        }
    }

    package var method: String?
    package var source: String?
    package var notice: Notice?
    /// Who acted: the subject, a guardian, an agent.
    package var actor: String?
    /// The language of the page or form on which they acted, as a tag of BCP 47. The language of the notice may be another.
    package var language: String?

    package init(
        method: String? = nil, source: String? = nil, notice: Notice? = nil, actor: String? = nil,
        language: String? = nil
    ) {
        self.method = method
        self.source = source
        self.notice = notice
        self.actor = actor
        self.language = language
    }
}
