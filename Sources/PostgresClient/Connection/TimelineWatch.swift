import Synchronization

/// Ends connections to servers that were replaced.
///
/// A server that was replaced may hang, or run on without knowing it, and a caller would wait for its answer as long as
/// that lasts. Connections that share a watch report the timeline on which their server writes. As soon as one of them
/// has found a newer timeline, those on older ones are interrupted, and their owners connect again.
package final class TimelineWatch: Sendable {
    private struct Member {
        let timeline: Int64
        weak var connection: PostgresConnection?
    }

    private struct State {
        var newest: Int64 = 0
        var members: [ObjectIdentifier: Member] = [:]
    }

    private let state = Mutex(State())

    init() {}

    /// The newest timeline on which a watched connection's server wrote; 0 before the first.
    var newestTimeline: Int64 { state.withLock { $0.newest } }

    /// The number of watched connections. For tests.
    var count: Int { state.withLock { $0.members.count } }

    func enter(_ connection: PostgresConnection, on timeline: Int64) {
        let replaced = state.withLock { state -> [PostgresConnection] in
            state.members[ObjectIdentifier(connection)] = Member(timeline: timeline, connection: connection)
            guard timeline > state.newest else { return [] }
            state.newest = timeline
            return state.members.values.filter { $0.timeline < timeline }.compactMap(\.connection)
        }
        for connection in replaced { connection.interrupt() }
    }

    func leave(_ connection: PostgresConnection) {
        _ = state.withLock { $0.members.removeValue(forKey: ObjectIdentifier(connection)) }
    }
}
