import Identifiers
import JSON
import Messages

/// A mail's bodies, for the system that sends it, which adds subject and sender.
struct EmailLayout: PayloadLayout {
    let carried: Set<Message.Member> = [.html, .text, .openTracking]
    let maximumLength: Int? = nil

    func check(_: Message, at _: JSONPointer) throws(BodyProblems) {}

    func write(_ message: Message, to payload: inout PayloadWriter) throws(BodyProblems) {
        let indexes = message.mailLinkIndexes
        payload.json.beginObject()
        if let html = message.html {
            payload.text("html", try body(html, .html, of: message, indexes, payload))
        }
        if let text = message.text {
            payload.text("text", try body(text, .text, of: message, indexes, payload))
        }
        payload.trackingID("trackingId", otherwise: UntrackedID.zero)
        if message.hasPlaceholderInMail { payload.preferencesURL("preferencesUrl") }
        payload.json.key("headers")
        payload.json.object { _ in }
        payload.json.endObject()
    }

    /// The links were judged when the message was stored; this finds the links that have an index again.
    private func body(
        _ text: String, _ part: BodyLink.Part, of message: Message, _ indexes: [MailLink: LinkIndex],
        _ payload: PayloadWriter
    ) throws(BodyProblems) -> Template {
        if case (.untracked, .html) = (payload.rendering, part), !MessageBody.mayHaveMarker(text) {
            if let personal = payload.pages.template(of: text, isTracked: false) { return personal }
            var whole = Template()
            whole.append(text.utf8)
            return whole
        }
        let body: MessageBody
        do throws(BodyError) {
            body = try MessageBody(text, part, target: TargetURL.init(stored:))
        } catch {
            throw BodyProblems(payload.pointer.appending(part.rawValue), error.description)
        }
        switch payload.rendering {
        case .untracked: return body.untracked(payload.pages)
        case .tracked(let origin, let activities):
            return body.tracked(origin: origin, payload.pages, activities, of: message) { link in
                link.mailLink.flatMap { indexes[$0] }
            }
        }
    }
}

extension Message {
    /// Whether its mail contains the address of a page.
    fileprivate var hasPlaceholderInMail: Bool {
        [html, text].contains { text in text.map { !PreferencesPlaceholders($0).ranges.isEmpty } ?? false }
    }
}
