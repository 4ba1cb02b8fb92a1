/// The place of a value in a document (RFC 6901): `/message/actions/0/link`; the empty pointer is the whole document.
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    package static let root = JSONPointer(description: "")

    package let description: String

    private init(description: String) {
        self.description = description
    }

    package func appending(_ name: String) -> JSONPointer {
        JSONPointer(description: "\(description)/\(Self.escape(name))")
    }

    package func appending(_ index: Int) -> JSONPointer {
        JSONPointer(description: "\(description)/\(index)")
    }

    /// `~` becomes `~0` and `/` becomes `~1`.
    private static func escape(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return name }
        var escaped = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
