package import ASCII

/// The name of a button: 1–255 bytes. Two names are equal if their bytes are.
package struct ActionIdentifier: Hashable, Sendable {
    /// In bytes of UTF-8.
    package static let maximumLength = 255

    /// The name of a tap on the notification itself, in payloads that have one.
    package static let tap = ActionIdentifier(known: "default")

    @ComparedByBytes package var text: String

    private init(known: String) { _text = ComparedByBytes(known) }

    /// - Returns: `nil` for an empty name or one that is too long.
    package init?(_ text: String) {
        guard (1...Self.maximumLength).contains(text.utf8.count) else { return nil }
        _text = ComparedByBytes(text)
    }
}
