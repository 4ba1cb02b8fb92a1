import Identifiers
import JSON
import Messages

/// Writes a payload as JSON, once for untracked recipients and once for each set of tracked activities.
struct PayloadWriter {
    enum Rendering {
        /// With redirect links under the origin if clicks are tracked, and blanks for tracking IDs.
        case tracked(PublicOrigin, TrackedActivities)
        case untracked
    }

    let rendering: Rendering
    /// The pages on which recipients see what is recorded about them.
    let pages: PreferencesPages
    /// The place of the message in the request, for the problems.
    let pointer: JSONPointer
    private var template = Template()
    var json = JSONWriter()

    init(_ rendering: Rendering, _ pages: PreferencesPages, at pointer: JSONPointer) {
        self.rendering = rendering
        self.pages = pages
        self.pointer = pointer
    }

    var isTracked: Bool {
        switch rendering {
        case .tracked: true
        case .untracked: false
        }
    }

    /// The link of the message or of one of its buttons: the redirect if clicks are tracked and the link can be
    /// wrapped; otherwise the target itself.
    mutating func link(_ name: String, _ link: Message.Link, at index: LinkIndex) {
        guard case .tracked(let origin, let activities) = rendering, activities.contains(.clicks), link.isTrackable
        else {
            json.member(name, link.target.text)
            return
        }
        trackedMember(name, prefix: PublicPath.link.start(at: origin), blank: .trackingID(index))
    }

    /// The tracking ID of the message itself, for tracked recipients.
    ///
    /// - Parameter other: the value for untracked recipients; `nil` to leave the member out.
    mutating func trackingID(_ name: String, otherwise other: String?) {
        guard isTracked else {
            if let other { json.member(name, other) }
            return
        }
        trackedMember(name, blank: .trackingID(.message))
    }

    /// The address of the page for the recipient.
    mutating func preferencesURL(_ name: String) {
        guard isTracked else { return json.member(name, pages.common) }
        trackedMember(name, prefix: pages.ownPrefix, blank: .trackingID(.message))
    }

    /// A string that ends in a blank; for untracked recipients the member is left out.
    ///
    /// - Parameter prefix: the text before the blank; must need no escaping.
    mutating func trackedMember(_ name: String, prefix: String = "", blank: Template.Blank) {
        guard isTracked else { return }
        json.key(name)
        json.raw(Array("\"\(prefix)".utf8))
        template.append(json.takeBytes())
        template.append(blank)
        template.append("\"".utf8)
    }

    /// A member whose value is a string of JSON, with its blanks.
    mutating func embedded(_ name: String, _ write: (inout PayloadWriter) -> Void) {
        var inner = PayloadWriter(rendering, pages, at: pointer)
        write(&inner)
        text(name, inner.finish())
    }

    /// A member whose value is a text with blanks in it.
    mutating func text(_ name: String, _ text: Template) {
        json.key(name)
        json.raw(CollectionOfOne(Self.quote))
        template.append(json.takeBytes())
        template.append(text, rewriting: Self.escaped)
        template.append(CollectionOfOne(Self.quote))
    }

    /// A member whose value is a text of the sender, with the address of the page in place of each placeholder.
    mutating func personalText(_ name: String, _ text: String) {
        if let template = pages.template(of: text, isTracked: isTracked) {
            self.text(name, template)
        } else {
            json.member(name, text)
        }
    }

    consuming func finish() -> Template {
        template.append(json.takeBytes())
        return template
    }

    private static let quote = UInt8(ascii: "\"")

    /// A piece of text, escaped for a string. Blanks replace ASCII, so every piece is UTF-8.
    private static func escaped(_ piece: ArraySlice<UInt8>) -> [UInt8] {
        var json = JSONWriter()
        json.string(String(decoding: piece, as: UTF8.self))
        return Array(json.takeBytes().dropFirst().dropLast())
    }
}
