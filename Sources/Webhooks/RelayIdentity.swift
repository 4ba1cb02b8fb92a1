import ASCII
package import Identifiers

/// Identifies a relay and one of its processes. A new process takes over the leases of an earlier process of its relay.
///
/// The name of a process contains the time when it began. So of two processes, one with a folder and one with a copy of
/// it, the same one always counts as the later.
package struct RelayIdentity: Hashable, Sendable {
    /// The digits of the time in the name of a process, in milliseconds since 1970.
    private static let digits = 15

    /// The id of the relay's folder, which never changes.
    package let relay: String
    /// The name of the process: 15 digits, `-` and random characters. Other names, from earlier versions, have no
    /// order.
    package let process: String

    /// - Returns: `nil` unless both consist of 16 to 64 letters, digits, `-` and `_`.
    package init?(relay: String, process: String) {
        guard let relay = try? RelayName(relay), let process = try? RelayName(process) else { return nil }
        self.init(relay: relay, process: process)
    }

    package init(relay: RelayName, process: RelayName) {
        self.relay = relay.text
        self.process = process.text
    }

    /// Makes the name of a process that begins.
    /// - Parameter random: distinguishes it from another process that began in the same millisecond.
    /// - Returns: `nil` unless the results are valid names.
    package init?(relay: String, begunAt begin: Timestamp, random: String) {
        let time = String(max(begin.millisecondsSince1970, 0))
        guard time.utf8.count <= Self.digits else { return nil }
        let zeros = String(repeating: "0", count: Self.digits - time.utf8.count)
        self.init(relay: relay, process: "\(zeros)\(time)-\(random)")
    }

    /// Whether `other` is a process of the same relay that began later.
    ///
    /// A process whose name has no order is earlier than each one with an order. Of two processes without order,
    /// neither is earlier: neither takes over the leases of the other.
    package func isEarlier(than other: RelayIdentity) -> Bool {
        guard relay == other.relay, other.isOrdered else { return false }
        guard isOrdered else { return true }
        return process.utf8.lexicographicallyPrecedes(other.process.utf8)
    }

    private var isOrdered: Bool {
        process.utf8.prefix(Self.digits).allSatisfy(\.isDigit)
            && process.utf8.dropFirst(Self.digits).first == UInt8(ascii: "-")
    }
}

/// The name of a relay, or of one of its processes.
package struct RelayName: Hashable, Sendable {
    static let allowedLength = 16...64

    /// 16 to 64 letters, digits, `-` and `_`.
    let text: String

    package init(_ text: String) throws(RelayNameError) {
        let isName = text.utf8.allSatisfy { $0.isNameCharacter && $0 != UInt8(ascii: ".") }
        guard isName, Self.allowedLength.contains(text.utf8.count) else { throw RelayNameError() }
        self.text = text
    }
}

/// The text is not a name of a relay. The description follows the name of the member.
package struct RelayNameError: Error, Hashable, CustomStringConvertible {
    package var description: String {
        "must be \(RelayName.allowedLength.lowerBound) to \(RelayName.allowedLength.upperBound) letters, digits, - and _"
    }
}
