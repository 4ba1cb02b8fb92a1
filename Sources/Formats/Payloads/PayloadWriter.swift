import Identifiers
import JSON
import Messages

/// Writes a payload as JSON, once for those who are tracked and once for those who are not.
struct PayloadWriter {
    enum Rendering {
        /// With redirect links under the origin, and tracking IDs left open.
        case tracked(PublicOrigin)
        case untracked
    }

    /// What stands in the place of a tracking ID for those who are not tracked. Every published client takes it for
    /// "do not report".
    static let zeroID = "00000000-0000-0000-0000-000000000000"

    private let rendering: Rendering
    private var template = Template()
    var json = JSONWriter()

    init(_ rendering: Rendering) { self.rendering = rendering }

    /// The link of the message or of one of its buttons: the redirect for those who are tracked, where it can be led
    /// through one; the target itself otherwise.
    mutating func link(_ name: String, _ link: Message.Link, at index: LinkIndex) {
        guard case .tracked(let origin) = rendering, link.isTrackable else {
            json.member(name, link.target.text)
            return
        }
        json.key(name)
        openString(origin.text + "/r/", index)
    }

    /// The tracking ID of the message itself.
    mutating func trackingID(_ name: String) {
        json.key(name)
        switch rendering {
        case .tracked: openString("", .message)
        case .untracked: json.string(Self.zeroID)
        }
    }

    consuming func finish() -> Template {
        template.append(json.takeBytes())
        return template
    }

    /// A string that ends in a tracking ID. Neither its beginning nor an ID has anything to escape.
    private mutating func openString(_ beginning: String, _ index: LinkIndex) {
        json.raw(Array("\"\(beginning)".utf8))
        template.append(json.takeBytes())
        template.appendTrackingID(of: index)
        template.append("\"".utf8)
    }
}
