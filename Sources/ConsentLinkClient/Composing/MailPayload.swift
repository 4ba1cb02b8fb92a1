/// The payload of the format `email`: a mail as its recipient may get it.
public struct MailPayload: Sendable, Hashable, Decodable {
    public let html: String?
    public let text: String?
    /// The ID of the message and the recipient; for untracked recipients a zero that is the same for all.
    ///
    /// `nil` from a service that is older than this member.
    public let trackingId: String?
    /// The page on which the recipient sees what is recorded about them, and ends it; for untracked recipients a page
    /// that is the same for all.
    ///
    /// `nil` where neither body had `{{consentlink.preferences}}`, which became this address.
    public let preferencesUrl: String?
    /// Empty: the system that sends the mail chooses the headers.
    public let headers: [String: String]
}

extension ComposedPayload {
    /// The payload as a mail, where the format is `email`.
    ///
    /// ```swift
    /// let composed = try await acme.compose(PayloadOrder(newsletter, format: .email), for: readers)
    /// for payload in composed.payloads { send(try payload.mail().html, to: payload.recipient) }
    /// ```
    /// - Throws: `DecodingError`.
    public func mail() throws -> MailPayload { try payload.decoded(as: MailPayload.self) }
}
