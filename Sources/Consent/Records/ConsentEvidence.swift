/// How a consent was obtained, as the recording backend describes it. All of it is optional, and none of it is
/// interpreted.
package struct ConsentEvidence: Hashable, Sendable {
    /// The notice that the recipient was shown.
    package struct Notice: Hashable, Sendable {
        package var id: String?
        package var version: String?
        package var language: String?
        /// The digest of the notice's text, which proves its wording later.
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
    /// The party that acted: the recipient (subject), a guardian or an agent.
    package var actor: String?
    /// The language of the page or form on which they acted, as a tag of BCP 47. The notice may have another language.
    package var language: String?

    /// How much evidence a store reads at once, in bytes. It may read one record more.
    package static let lengthAtOnce = 2 << 20

    /// The length of its texts, in bytes.
    package var length: Int {
        [method, source, actor, language, notice?.id, notice?.version, notice?.language, notice?.sha256]
            .reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }

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
