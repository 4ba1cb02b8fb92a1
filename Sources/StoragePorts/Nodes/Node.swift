import ASCII
package import Identifiers

/// One of the services that share a storage.
package struct Node: Hashable, Sendable {
    package let slot: NodeSlot
    package let name: NodeName
    package let state: State
    /// The version of the service.
    package let version: String
    /// The time since its last report that it is running, by the storage's clock.
    package let lastBeat: Duration
    /// How many changes of the rules it has not applied yet.
    package let changesBehind: UInt64
    /// The number of clicks in its spool.
    package let spooled: Int

    package enum State: Int64, CaseIterable, Hashable, Sendable {
        case running = 1
        /// It was ended in an orderly way.
        case stopped = 2
    }

    /// A node that has not reported for so long has failed or is cut off.
    package static let heartbeatTimeout = Duration.seconds(8)

    package var isAlive: Bool { state == .running && lastBeat < Self.heartbeatTimeout }

    package init(
        slot: NodeSlot, name: NodeName, state: State, version: String, lastBeat: Duration, changesBehind: UInt64,
        spooled: Int
    ) {
        self.slot = slot
        self.name = name
        self.state = state
        self.version = version
        self.lastBeat = lastBeat
        self.changesBehind = changesBehind
        self.spooled = spooled
    }
}

/// The operator's name for a node: letters, digits, dots, hyphens and underscores.
package struct NodeName: Hashable, Sendable, CustomStringConvertible {
    /// In bytes.
    package static let allowedLength = 1...63
    /// What a text must be, after "must be".
    package static let form =
        "\(allowedLength.lowerBound) to \(allowedLength.upperBound) letters, digits, hyphens, dots and underscores"

    package let description: String

    package init?(_ text: String) {
        guard Self.allowedLength.contains(text.utf8.count), text.utf8.allSatisfy(\.isNameCharacter) else { return nil }
        description = text
    }
}
