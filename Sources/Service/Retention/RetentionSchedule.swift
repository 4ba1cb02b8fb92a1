import Identifiers
import Organizations

/// When retention checks each organization next, so that a round reads only what may be due.
///
/// New data is due later than what is stored, so nothing is due before the time that the last check found. Each
/// deletion has an entry in the ledger. Where data becomes due all the time, the data that becomes due within a pause
/// is deleted together, because each round would otherwise make an entry.
struct RetentionSchedule {
    /// Between a deletion and the next one of the same organization.
    static let pause = Duration.seconds(900)
    /// The longest time between two checks of an organization, independent of what the last one found: a database that
    /// was put back to an earlier state has data again that was deleted.
    static let longestPause = Duration.seconds(3600)

    private struct Look {
        let retention: Retention
        let askAgainAfterDays: Int
        let instant: Timestamp
        let next: Timestamp
    }

    private var looks: [OrganizationID: Look] = [:]

    /// Whether data of the organization may be due that may be deleted now. Always true if its settings have changed
    /// since the last look, and after the clock went back.
    func isTime(for organization: Organization, at now: Timestamp) -> Bool {
        guard let look = looks[organization.id], look.retention == organization.retention,
            look.askAgainAfterDays == organization.askAgainAfterDays, look.instant <= now
        else { return true }
        return look.next <= now
    }

    /// - Parameters:
    ///   - nextDue: when the oldest data is due; `nil` if none will be.
    ///   - hasDeleted: whether a deletion was entered in the ledger.
    mutating func noteLook(
        at organization: Organization, nextDue: Timestamp?, hasDeleted: Bool = false, at now: Timestamp
    ) {
        let earliest = hasDeleted ? now.advanced(by: Self.pause) : now
        let latest = now.advanced(by: Self.longestPause)
        looks[organization.id] = Look(
            retention: organization.retention, askAgainAfterDays: organization.askAgainAfterDays, instant: now,
            next: min(max(nextDue ?? latest, earliest), latest))
    }

    /// Must be called when another node has the job: it may delete, and leave data that this node has not seen.
    mutating func forget() { looks = [:] }
}
