package import TrackingIDs

/// A tracking ID as a device sent it: of the right length, and not opened yet.
package struct SealedTrackingID: Sendable {
    private enum Form: Sendable {
        /// 54 bytes, whatever they are.
        case text(String)
        case bytes(InlineArray<40, UInt8>)
    }

    private let form: Form

    /// - Returns: `nil` for a text of another length, which is none.
    init?(_ text: String) {
        guard text.utf8.count == TrackingIDFormat.characterCount else { return nil }
        form = .text(text)
    }

    init(_ bytes: InlineArray<40, UInt8>) { form = .bytes(bytes) }

    package func opened(by opener: TrackingIDOpener) -> TrackingIDOpening {
        switch form {
        case .text(let text): opener.open(text)
        case .bytes(let bytes): opener.open(bytes: bytes.span)
        }
    }
}

extension SealedTrackingID: Hashable {
    package static func == (one: Self, other: Self) -> Bool {
        switch (one.form, other.form) {
        case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
        case (.bytes(let one), .bytes(let other)): one.indices.allSatisfy { one[$0] == other[$0] }
        case (.text, .bytes), (.bytes, .text): false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch form {
        case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .bytes(let bytes): for index in bytes.indices { hasher.combine(bytes[index]) }
        }
    }
}

extension SealedTrackingID: CustomStringConvertible {
    /// Hides the text: its holder can report in the recipient's name.
    package var description: String { "(tracking ID)" }
}
