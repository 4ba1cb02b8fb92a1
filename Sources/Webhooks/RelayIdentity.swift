/// A relay, and which of its processes: a process that begins takes back what an earlier one of the same relay held.
package struct RelayIdentity: Hashable, Sendable {
    private static let allowedLength = 16...64

    /// Of the relay's folder, for as long as it exists.
    package let relay: String
    /// Of the process.
    package let process: String

    /// - Returns: `nil` unless both are 16 to 64 letters, digits, `-` and `_`.
    package init?(relay: String, process: String) {
        guard Self.isName(relay), Self.isName(process) else { return nil }
        self.relay = relay
        self.process = process
    }

    private static func isName(_ text: String) -> Bool {
        allowedLength.contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }
}
