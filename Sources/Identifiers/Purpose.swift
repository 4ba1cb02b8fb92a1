import ASCII

/// The purpose of a consent: 1–64 of `a-z 0-9 . -`. Consent to one purpose says nothing about another.
package struct Purpose: Hashable, Sendable, CustomStringConvertible {
    static let maximumLength = 64
    /// The default purpose.
    package static let tracking = Purpose(known: "tracking")
    /// The purpose of opens, for organizations that ask about them separately from links.
    package static let openTracking = Purpose(known: "open-tracking")

    package let description: String

    package init(_ text: String) throws(IdentifierError) {
        let bytes = text.utf8
        guard (1...Self.maximumLength).contains(bytes.count), bytes.allSatisfy(Self.isAllowed) else { throw .purpose }
        description = text
    }

    private init(known: String) { description = known }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte.isLowerCaseLetter || byte.isDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }
}
