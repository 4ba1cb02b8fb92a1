/// The name of an organization in paths: 1–64 of `A-Z a-z 0-9 . _ -`, so that a GUID fits.
///
/// `.` and `..` are refused although their characters are allowed: HTTP clients remove them (RFC 3986, 5.2.4), so such
/// an organization could never be reached.
package struct OrganizationID: Hashable, Sendable, CustomStringConvertible {
    package static let maximumLength = 64

    package let description: String

    package init(_ text: String) throws(IdentifierError) {
        let bytes = text.utf8
        guard (1...Self.maximumLength).contains(bytes.count), bytes.allSatisfy(Self.isAllowed),
            !bytes.allSatisfy({ $0 == UInt8(ascii: ".") })
        else { throw .organizationID }
        description = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
