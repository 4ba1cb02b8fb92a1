/// The name of a button: 1–255 bytes.
package struct ActionIdentifier: Hashable, Sendable {
    package static let maximumLength = 255

    /// The name of a tap on the notification itself, in payloads that have one.
    package static let tap = ActionIdentifier(known: "default")

    package let text: String

    private init(known: String) { text = known }

    /// - Returns: `nil` for an empty name or one that is too long.
    package init?(_ text: String) {
        guard (1...Self.maximumLength).contains(text.utf8.count) else { return nil }
        self.text = text
    }
}
