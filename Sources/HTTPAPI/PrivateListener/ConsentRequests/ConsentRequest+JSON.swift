import Consent
import Identifiers
import JSON

/// A consent request as an answer shows it.
struct ShownConsentRequest {
    let request: ConsentRequest
    let state: ConsentRequest.State
    /// The links; `nil` if the caller may only read.
    let links: Links?

    struct Links {
        let url: String
        /// The next link to send to the recipient; `nil` unless a yes waits for it.
        let confirmURL: String?
    }
}

extension JSONWriter {
    mutating func members(of shown: ShownConsentRequest) {
        let request = shown.request
        member("id", request.id.description)
        member("recipient", request.recipient?.text)
        member("state", shown.state.rawValue)
        objects("purposes", request.purposes) { $1.members(of: $0) }
        key("notice")
        notice(request.notice)
        member("confirm", request.needsConfirmation)
        member("madeAt", request.madeAt.rfc3339)
        member("expiresAt", request.expiresAt.rfc3339)
        guard let links = shown.links else { return }
        member("url", links.url)
        member("confirmUrl", links.confirmURL)
    }

    private mutating func members(of asked: AskedPurpose) {
        member("purpose", asked.purpose.description)
        member("answer", asked.recorded?.rawValue)
        member("consent", asked.record?.description)
        member("awaitingConfirmation", asked.awaitsConfirmation)
        member("closedBy", asked.closing?.rawValue)
    }

    /// The notice without its text, which the backend has.
    private mutating func notice(_ notice: ConsentNotice?) {
        guard let notice else { return null() }
        object { writer in
            writer.member("id", notice.id)
            writer.member("version", notice.version)
            writer.member("sha256", notice.sha256)
            writer.member("language", notice.language)
            if case .url(let url) = notice.body { writer.member("url", url) }
        }
    }
}
