package import Identifiers

/// A relay, and which of its processes: a process that begins takes back what an earlier one of the same relay held.
///
/// The name of a process tells when it began, so that of two processes that run with one folder and its copy the same one
/// always counts as the later.
package struct RelayIdentity: Hashable, Sendable {
    /// Of the time in the name of a process: milliseconds since 1970.
    private static let digits = 15

    /// Of the relay's folder, for as long as it exists.
    package let relay: String
    /// Of the process: 15 digits, `-` and something random. Other names, as versions before gave them, have no order.
    package let process: String

    /// - Returns: `nil` unless both are 16 to 64 letters, digits, `-` and `_`.
    package init?(relay: String, process: String) {
        guard let relay = try? RelayName(relay), let process = try? RelayName(process) else { return nil }
        self.init(relay: relay, process: process)
    }

    package init(relay: RelayName, process: RelayName) {
        self.relay = relay.text
        self.process = process.text
    }

    /// Names a process that begins.
    /// - Parameter random: tells it from another that began in the same millisecond.
    /// - Returns: `nil` unless what follows are names.
    package init?(relay: String, begunAt begin: Timestamp, random: String) {
        let time = String(max(begin.millisecondsSince1970, 0))
        guard time.utf8.count <= Self.digits else { return nil }
        let zeros = String(repeating: "0", count: Self.digits - time.utf8.count)
        self.init(relay: relay, process: "\(zeros)\(time)-\(random)")
    }

    /// Whether `other` is a process of the same relay that began later.
    ///
    /// A process whose name has no order is earlier than each that has one. Of two without order none is: neither takes
    /// what the other holds.
    package func isEarlier(than other: RelayIdentity) -> Bool {
        guard relay == other.relay, other.isOrdered else { return false }
        guard isOrdered else { return true }
        return process.utf8.lexicographicallyPrecedes(other.process.utf8)
    }

    private var isOrdered: Bool {
        process.utf8.prefix(Self.digits).allSatisfy { (0x30...0x39).contains($0) }
            && process.utf8.dropFirst(Self.digits).first == UInt8(ascii: "-")
    }
}

/// The name of a relay, or of one of its processes.
package struct RelayName: Hashable, Sendable {
    package static let allowedLength = 16...64

    /// 16 to 64 letters, digits, `-` and `_`.
    package let text: String

    package init(_ text: String) throws(RelayNameError) {
        let isName = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        guard isName, Self.allowedLength.contains(text.utf8.count) else { throw RelayNameError() }
        self.text = text
    }
}

package struct RelayNameError: Error, Hashable, CustomStringConvertible {
    package var description: String {
        "must be \(RelayName.allowedLength.lowerBound) to \(RelayName.allowedLength.upperBound) letters, digits, - and _"
    }
}
