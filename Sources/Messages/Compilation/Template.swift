package import Identifiers

/// A text that is the same for everybody but for the tracking IDs in it: its bytes, and the blanks that are filled in
/// for a recipient.
///
/// Made once per message; rendering for a recipient is copying bytes and sealing IDs.
package struct Template: Sendable {
    /// What is filled in. Whatever it is, it is written in visible ASCII that neither JSON nor HTML has to escape.
    package enum Blank: Hashable, Sendable {
        /// The tracking ID of a link, in base64url as it stands in a URL.
        case trackingID(LinkIndex)
        /// The same in lower-case hexadecimal.
        case hexadecimalTrackingID(LinkIndex)
        /// The id of the message, which is known only once the message is stored.
        case messageID
    }

    private struct Slot: Sendable {
        /// Where in `bytes` the blank stands.
        let offset: Int
        let blank: Blank
    }

    private var bytes: [UInt8] = []
    private var slots: [Slot] = []

    /// - Parameter capacity: bytes that there will be about, without what is filled in.
    package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    package mutating func append(_ text: some Sequence<UInt8>) {
        bytes.append(contentsOf: text)
    }

    package mutating func append(_ blank: Blank) {
        slots.append(Slot(offset: bytes.count, blank: blank))
    }

    /// Adds `other` with each of its pieces, up to and between the blanks, as `rewrite` spells it. The blanks stay as
    /// they are: nothing that is filled in needs escaping.
    package mutating func append(_ other: Template, rewriting rewrite: (ArraySlice<UInt8>) -> [UInt8]) {
        var start = 0
        for slot in other.slots {
            append(rewrite(other.bytes[start..<slot.offset]))
            append(slot.blank)
            start = slot.offset
        }
        append(rewrite(other.bytes[start...]))
    }

    /// The length of a rendering in bytes, the same for everybody.
    package func renderedLength(_ length: (Blank) -> Int) -> Int {
        slots.reduce(bytes.count) { $0 + length($1.blank) }
    }

    /// Appends the text to `output`, with each blank as `fill` appends it.
    package func render(into output: inout [UInt8], fill: (Blank, inout [UInt8]) -> Void) {
        var start = 0
        for slot in slots {
            output.append(contentsOf: bytes[start..<slot.offset])
            fill(slot.blank, &output)
            start = slot.offset
        }
        output.append(contentsOf: bytes[start...])
    }
}
