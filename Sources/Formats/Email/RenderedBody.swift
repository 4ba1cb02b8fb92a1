package import Consent
package import Identifiers
package import JSON
package import Messages
package import TrackingIDs

/// A body of a mail for one recipient as stored decisions permit it: with links through the redirect if clicks may be
/// tracked, with an image whose request counts as an opening if opens may be tracked, or unchanged.
///
/// It is written directly to where it goes: a mail is too long to be copied once more for each recipient.
package struct RenderedBody {
    private let body: MessageBody
    private let decisions: RecipientDecisions
    private let message: StoredMessage
    private let origin: PublicOrigin
    private let expiry: LinkExpiry
    private let sealer: TrackingIDSealer
    private let index: @Sendable (BodyLink) -> LinkIndex?

    /// - Parameters:
    ///   - message: the stored message that its links belong to.
    ///   - origin: the beginning of links.
    ///   - expiry: the expiry of the message's links, the same for all recipients.
    ///   - index: returns the index of a link; `nil` for one that stays unchanged.
    package init(
        _ body: MessageBody, _ decisions: RecipientDecisions, of message: StoredMessage, origin: PublicOrigin,
        expiry: LinkExpiry, sealer: TrackingIDSealer, index: @escaping @Sendable (BodyLink) -> LinkIndex?
    ) {
        self.body = body
        self.decisions = decisions
        self.message = message
        self.origin = origin
        self.expiry = expiry
        self.sealer = sealer
        self.index = index
    }

    package var part: BodyLink.Part { body.part }

    /// Its UTF-8.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, escaping: false)
        return bytes
    }

    /// Writes it as a string.
    package func write(to writer: inout JSONWriter) {
        writer.raw { json in
            json.append(UInt8(ascii: "\""))
            write(to: &json, escaping: true)
            json.append(UInt8(ascii: "\""))
        }
    }

    private func write(to bytes: inout [UInt8], escaping escapes: Bool) {
        let pages = PreferencesPages(origin: origin, organization: message.organization)
        var output = RecipientOutput(escapes: escapes)
        // Two owners of the bytes would make a copy of them.
        swap(&output.bytes, &bytes)
        switch decisions.permit {
        case .untracked: body.writeUntracked(pages, to: &output)
        case .tracked(let recipient, let activities):
            output.ids = TrackingIDWriter(message: message.id, recipient: recipient, expiry: expiry, sealer: sealer)
            body.writeTracked(origin: origin, pages, activities, of: message.content, to: &output, index: index)
        }
        swap(&output.bytes, &bytes)
    }
}

/// Fills in a recipient's tracking IDs while a body is written.
private struct RecipientOutput: BodyOutput {
    var bytes: [UInt8] = []
    /// `nil` for a recipient who is not tracked, whose body has no blanks.
    var ids: TrackingIDWriter?
    /// Whether texts are escaped for a string of JSON. Tracking IDs need no escapes.
    let escapes: Bool

    init(escapes: Bool) { self.escapes = escapes }

    mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        if escapes { bytes.appendJSONEscaped(text) } else { bytes.append(contentsOf: text) }
    }

    mutating func append(_ blank: Template.Blank) { ids?.fill(blank, &bytes) }
}
