import ASCII
import Identifiers
import Messages
import TrackingIDs

/// Fills in the blanks of a text for one recipient of a message.
struct TrackingIDWriter {
    let message: MessageID
    let recipient: RecipientReference
    /// The expiry of the message's links, the same for all recipients.
    let expiry: LinkExpiry
    let sealer: TrackingIDSealer

    func fill(_ blank: Template.Blank, _ output: inout [UInt8]) {
        switch blank {
        case .trackingID(let link): sealer.seal(id(of: link), appendingTo: &output)
        case .hexadecimalTrackingID(let link): output.appendHexadecimal(sealer.bytes(of: id(of: link)).span)
        case .messageID: output.append(contentsOf: message.description.utf8)
        }
    }

    private func id(of link: LinkIndex) -> TrackingID {
        TrackingID(message: message, recipient: recipient, link: link, expiry: expiry)
    }
}

extension [UInt8] {
    fileprivate mutating func appendHexadecimal(_ bytes: Span<UInt8>) {
        for index in bytes.indices {
            append((bytes[index] >> 4).lowerCaseHexDigit)
            append((bytes[index] & 0x0F).lowerCaseHexDigit)
        }
    }
}
