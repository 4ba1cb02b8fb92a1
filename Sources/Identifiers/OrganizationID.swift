import ASCII

/// The name of an organization in paths: 1–64 of `A-Z a-z 0-9 . _ -`, so that a GUID fits.
///
/// `.` and `..` are refused although their characters are allowed: HTTP clients remove them (RFC 3986, 5.2.4), so such
/// an organization could never be reached.
package struct OrganizationID: Hashable, Sendable, CustomStringConvertible {
    /// In characters, each of which is one byte.
    package static let maximumLength = 64

    package let description: String

    package init(_ text: String) throws(IdentifierError) {
        let bytes = text.utf8
        guard (1...Self.maximumLength).contains(bytes.count), bytes.allSatisfy(\.isNameCharacter),
            !bytes.allSatisfy({ $0 == UInt8(ascii: ".") })
        else { throw .organizationID }
        description = text
    }
}
