import StoragePorts

/// The signs of life of the other nodes, as one node has seen them: which of them may be fresh.
///
/// A node that is fresh has written its row within the last second. So one whose row has not changed for eight seconds,
/// by the clock of the node that looks, is not waited for. No other clock is asked: that of the server may step.
struct NodeSigns {
    /// What one look at the row of a running node shows.
    struct Sign: Hashable {
        let slot: Int64
        /// The id of its process.
        let instance: [UInt8]
        /// How often the row was written.
        let beats: Int64
        /// The position up to which it has applied the rules; 0 if that belongs to another history.
        let applied: UInt64
    }

    private struct Sighting {
        let instance: [UInt8]
        let beats: Int64
        /// When the row was first seen like this.
        let since: ContinuousClock.Instant
    }

    private var sightings: [Int64: Sighting] = [:]

    /// The least position that nodes which may be fresh have applied; `nil` if there is none.
    /// - Parameters:
    ///   - signs: of all running nodes but the one that looks.
    ///   - instant: when it began to look.
    mutating func slowest(_ signs: [Sign], at instant: ContinuousClock.Instant) -> UInt64? {
        var seen: [Int64: Sighting] = [:]
        var least: UInt64?
        for sign in signs {
            let known = sightings[sign.slot].flatMap { last in
                last.instance == sign.instance && last.beats == sign.beats ? last.since : nil
            }
            let since = known ?? instant
            seen[sign.slot] = Sighting(instance: sign.instance, beats: sign.beats, since: since)
            if instant - since < Node.heartbeatTimeout { least = min(least ?? .max, sign.applied) }
        }
        sightings = seen
        return least
    }
}
