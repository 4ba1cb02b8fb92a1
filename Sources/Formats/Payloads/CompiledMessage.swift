package import Consent
package import Identifiers
package import JSON
package import Messages
package import TrackingIDs

/// A message put into a format once, for any number of recipients.
///
/// The untracked rendering is one and the same sequence of bytes for everybody it goes to. The tracked one differs
/// between recipients in nothing but its tracking IDs, which are equally long.
package struct CompiledMessage: Sendable {
    private let tracked: Template
    private let untracked: [UInt8]
    /// Members of the message that the format has no place for.
    package let notCarried: [String]

    /// - Parameters:
    ///   - origin: what tracked links begin with.
    ///   - pointer: where the message stands in the request, for the problems.
    /// - Throws: when the carrier would not take the payload.
    package init(
        _ message: Message, format: PayloadFormat, origin: PublicOrigin, at pointer: JSONPointer
    ) throws(BodyProblems) {
        let layout = format.layout
        try layout.check(message, at: pointer)
        tracked = try layout.compile(message, .tracked(origin))
        var bytes: [UInt8] = []
        try layout.compile(message, .untracked).render(into: &bytes) { _, _ in }
        untracked = bytes
        notCarried = message.membersInUse.filter { !layout.carried.contains($0) }.map(\.rawValue)
        if let limit = layout.maximumLength {
            let length = max(tracked.renderedLength(\.length), untracked.count)
            guard length <= limit else {
                throw BodyProblems(pointer, "makes a payload of \(length) bytes; the carrier takes \(limit)")
            }
        }
    }

    /// Appends the payload that a stored decision permits.
    ///
    /// - Parameters:
    ///   - message: the id under which the message is stored.
    ///   - expiry: the expiry of the message's links, the same for everybody.
    package func render(
        _ decision: RecordedDecision, of message: MessageID, expiry: LinkExpiry, sealer: TrackingIDSealer,
        into output: inout [UInt8]
    ) {
        switch decision.permit {
        case .untracked: output.append(contentsOf: untracked)
        case .tracked(let recipient):
            tracked.render(into: &output) { blank, output in
                func id(of link: LinkIndex) -> TrackingID {
                    TrackingID(message: message, recipient: recipient, link: link, expiry: expiry)
                }
                switch blank {
                case .trackingID(let link): sealer.seal(id(of: link), appendingTo: &output)
                case .hexadecimalTrackingID(let link):
                    output.appendHexadecimal(sealer.bytes(of: id(of: link)).span)
                case .messageID: output.append(contentsOf: message.description.utf8)
                }
            }
        }
    }
}

extension Template.Blank {
    /// Bytes that it takes in a payload.
    var length: Int {
        switch self {
        case .trackingID: TrackingIDFormat.characterCount
        case .hexadecimalTrackingID: 2 * TrackingIDFormat.byteCount
        // An id is time-ordered: every one made since 1987 has all 16 digits.
        case .messageID: 16
        }
    }
}

extension [UInt8] {
    fileprivate mutating func appendHexadecimal(_ bytes: Span<UInt8>) {
        for index in bytes.indices {
            append(Self.digit(bytes[index] >> 4))
            append(Self.digit(bytes[index] & 0x0F))
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
