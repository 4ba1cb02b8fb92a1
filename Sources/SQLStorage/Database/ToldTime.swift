package import Identifiers

/// What a storage on a server says about time.
package enum ToldTime: Sendable {
    /// The time of the server's clock.
    /// - Parameters:
    ///   - nanoseconds: since 1970.
    ///   - askedAt: when the query was begun.
    case server(nanoseconds: Int64, askedAt: ContinuousClock.Instant)
    /// The latest time at which any node wrote, and when the query for it was begun. The clock of a node that reads
    /// what was written must not show an earlier time, else that would lie in its future.
    case written(Timestamp, askedAt: ContinuousClock.Instant)
    /// Until then, the node knows every change of the rules that was acknowledged on any node.
    case rulesKnown(until: ContinuousClock.Instant)
}
