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
    mutating func consentRequest(_ shown: ShownConsentRequest) {
        let request = shown.request
        object { writer in
            writer.member("id", request.id.description)
            writer.member("recipient", request.recipient?.text)
            writer.member("state", shown.state.rawValue)
            writer.key("purposes")
            writer.array { writer in
                for asked in request.purposes { writer.asked(asked) }
            }
            writer.key("notice")
            writer.notice(request.notice)
            writer.member("confirm", request.needsConfirmation)
            writer.member("madeAt", request.madeAt.rfc3339)
            writer.member("expiresAt", request.expiresAt.rfc3339)
            guard let links = shown.links else { return }
            writer.member("url", links.url)
            writer.member("confirmUrl", links.confirmURL)
        }
    }

    private mutating func asked(_ asked: AskedPurpose) {
        object { writer in
            writer.member("purpose", asked.purpose.description)
            writer.member("answer", asked.recorded?.rawValue)
            writer.member("consent", asked.record?.description)
            writer.member("awaitingConfirmation", asked.awaitsConfirmation)
            writer.member("closedBy", asked.closing?.rawValue)
        }
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
