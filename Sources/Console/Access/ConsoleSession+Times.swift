import Identifiers
import Organizations

extension ConsoleSession {
    func isBehind(_ other: ConsoleSession) -> Bool {
        usedAt < other.usedAt || confirmedAt < other.confirmedAt
    }

    /// The session with the later one of each of its times and those of `other`. Times only grow.
    func withLaterTimes(of other: ConsoleSession) -> ConsoleSession {
        var session = self
        session.usedAt = max(usedAt, other.usedAt)
        session.confirmedAt = max(confirmedAt, other.confirmedAt)
        return session
    }
}
