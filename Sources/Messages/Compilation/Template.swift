package import Identifiers

/// A text that is the same for everybody but for the tracking IDs in it: its bytes, and the places where an ID goes.
///
/// Made once per message; rendering for a recipient is copying bytes and sealing IDs.
package struct Template: Sendable {
    private struct Slot: Sendable {
        /// Where in `bytes` the tracking ID is put in.
        let offset: Int
        let link: LinkIndex
    }

    private var bytes: [UInt8] = []
    private var slots: [Slot] = []

    package init() {}

    package mutating func append(_ text: some Sequence<UInt8>) {
        bytes.append(contentsOf: text)
    }

    /// Leaves a place for the tracking ID of `link`.
    package mutating func appendTrackingID(of link: LinkIndex) {
        slots.append(Slot(offset: bytes.count, link: link))
    }

    /// The length of a rendering in bytes, the same for everybody.
    package func renderedLength(trackingIDLength: Int) -> Int {
        bytes.count + slots.count * trackingIDLength
    }

    /// Appends the text to `output`, with each tracking ID as `seal` appends it.
    package func render(into output: inout [UInt8], seal: (LinkIndex, inout [UInt8]) -> Void) {
        var start = 0
        for slot in slots {
            output.append(contentsOf: bytes[start..<slot.offset])
            seal(slot.link, &output)
            start = slot.offset
        }
        output.append(contentsOf: bytes[start...])
    }
}
