import ASCII
package import Identifiers

/// The name of a ledger and of its key: it is in the lines of signatures and is the first line of a checkpoint, such as
/// `links.example.com/acme` (C2SP signed-note, tlog-checkpoint).
package struct KeyName: Hashable, Sendable, CustomStringConvertible {
    static let maximumLength = 255

    package let description: String

    /// - Parameter text: must have no white space, plus signs or control characters.
    package init(_ text: String) throws(LedgerError) {
        guard (1...Self.maximumLength).contains(text.utf8.count), text.unicodeScalars.allSatisfy(Self.isAllowed) else {
            throw .keyName
        }
        description = text
    }

    init(_ bytes: ArraySlice<UInt8>) throws(LedgerError) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .keyName }
        try self.init(text)
    }

    /// Whether this is the name of a ledger of the organization: a host, a slash, and the organization's id.
    ///
    /// All ledgers of a service are signed with one key, so the name alone says whose statement a checkpoint is. The
    /// host is not compared with the service's: a ledger keeps the name with which it began.
    package func isLedger(of organization: OrganizationID) -> Bool {
        guard let slash = description.utf8.lastIndex(of: UInt8(ascii: "/")), slash != description.utf8.startIndex else {
            return false
        }
        return description.utf8[slash...].dropFirst().elementsEqual(organization.description.utf8)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && scalar != "+" && scalar.properties.generalCategory != .control
    }

    package static func == (one: KeyName, other: KeyName) -> Bool {
        one.description.hasSameBytes(as: other.description)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combineBytes(of: description)
    }
}
