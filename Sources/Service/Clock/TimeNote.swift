import Identifiers
import Redirect

/// The time of the server as one process of a node leaves it to the next, which may start while the server is away. It
/// is valid until the machine is started again.
struct TimeNote: Hashable, Sendable {
    /// Server time less monotonic time, in nanoseconds.
    let offset: Int64
    /// When the server last confirmed it.
    let heardAt: Timestamp
    /// The last periods in which the time was not known: clicks with these times may still be in the spool.
    var gaps: [ClockGap] = []
}
