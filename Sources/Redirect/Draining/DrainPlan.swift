import Consent
import Identifiers
import Interactions

/// Which spooled occurrences become interactions: those that the consent records known by now permit, as of the moment
/// they occurred. A total function: the caller reads rules and consent before.
struct DrainPlan {
    private(set) var kept: [SpooledOccurrence] = []
    private(set) var droppedCount = 0

    /// What decides on the occurrences of one message.
    struct Rules {
        let purposes: MessagePurposes
        let enforcement: EnforcementHistory
    }

    /// - Parameters:
    ///   - rules: by message; an occurrence of a message without rules is dropped.
    ///   - statuses: one for each occurrence.
    init(_ occurrences: [SpooledOccurrence], rules: [MessageID: Rules], statuses: [ConsentStatus]) {
        kept.reserveCapacity(occurrences.count)
        for (spooled, status) in zip(occurrences, statuses) {
            let verdict = rules[spooled.occurrence.message].map {
                let time = spooled.occurrence.occurredAt
                return $0.enforcement.policy(at: time).decide(status, at: time)
            }
            if verdict?.outcome == .tracked {
                kept.append(spooled)
            } else {
                droppedCount += 1
            }
        }
    }
}
