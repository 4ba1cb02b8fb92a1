package import Identifiers

/// A text that is the same for all recipients except for the tracking IDs in it: its bytes, and the blanks to fill in
/// for a recipient.
///
/// Made once per message; rendering for a recipient is copying bytes and sealing IDs.
package struct Template: Sendable {
    /// The content of a blank. It is always written in visible ASCII that neither JSON nor HTML must escape.
    package enum Blank: Hashable, Sendable {
        /// The tracking ID of a link, in base64url as in a URL.
        case trackingID(LinkIndex)
        /// The tracking ID of a link, in lower-case hexadecimal.
        case hexadecimalTrackingID(LinkIndex)
        /// The id of the message, which is known only once the message is stored.
        case messageID
    }

    private struct Slot: Sendable {
        /// The place of the blank in `bytes`.
        let offset: Int
        let blank: Blank
    }

    private var bytes: [UInt8] = []
    private var slots: [Slot] = []

    /// - Parameter capacity: about how many bytes there will be, without the blanks.
    package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    package mutating func append(_ text: some Sequence<UInt8>) {
        bytes.append(contentsOf: text)
    }

    package mutating func append(_ blank: Blank) {
        slots.append(Slot(offset: bytes.count, blank: blank))
    }

    /// Adds `other`, with each piece between the blanks changed by `rewrite`. The blanks stay unchanged, because their
    /// contents need no escaping.
    package mutating func append(_ other: Template, rewriting rewrite: (ArraySlice<UInt8>) -> [UInt8]) {
        var start = 0
        for slot in other.slots {
            append(rewrite(other.bytes[start..<slot.offset]))
            append(slot.blank)
            start = slot.offset
        }
        append(rewrite(other.bytes[start...]))
    }

    /// The length of a rendering in bytes, the same for all recipients.
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
