package import TrackingIDs

/// A tracking ID as a device sent it: of the right length, and not opened yet.
package struct SealedTrackingID: Sendable {
    private enum Form: Sendable {
        /// Any characters.
        case characters(InlineArray<54, UInt8>)
        case bytes(InlineArray<40, UInt8>)
    }

    private let form: Form

    /// - Returns: `nil` for a text of another length.
    init?(_ text: Span<UInt8>) {
        var characters = InlineArray<54, UInt8>(repeating: 0)
        guard text.count == characters.count, text.count == TrackingIDFormat.characterCount else { return nil }
        for index in characters.indices { characters[index] = text[index] }
        form = .characters(characters)
    }

    init(_ bytes: InlineArray<40, UInt8>) { form = .bytes(bytes) }

    package func opened(by opener: TrackingIDOpener) -> TrackingIDOpening {
        switch form {
        case .characters(let characters): opener.open(characters.span)
        case .bytes(let bytes): opener.open(bytes: bytes.span)
        }
    }
}

extension SealedTrackingID: Hashable {
    package static func == (one: Self, other: Self) -> Bool {
        switch (one.form, other.form) {
        case (.characters(let one), .characters(let other)): one.indices.allSatisfy { one[$0] == other[$0] }
        case (.bytes(let one), .bytes(let other)): one.indices.allSatisfy { one[$0] == other[$0] }
        case (.characters, .bytes), (.bytes, .characters): false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch form {
        case .characters(let characters): for index in characters.indices { hasher.combine(characters[index]) }
        case .bytes(let bytes): for index in bytes.indices { hasher.combine(bytes[index]) }
        }
    }
}

extension SealedTrackingID: CustomStringConvertible {
    /// Hides the text: its holder can report in the recipient's name.
    package var description: String { "(tracking ID)" }
}
