import Consent
import Identifiers
import Interactions

/// Which spooled occurrences become interactions: those that the consent records known by now permit, as of the moment
/// they occurred. A total function: the caller reads rules and consent before.
struct DrainPlan {
    private(set) var kept: [SpooledOccurrence] = []
    /// The occurrences for which it cannot be decided now whether they are permitted.
    private(set) var undecided: [SpooledOccurrence] = []
    private(set) var droppedCount = 0

    /// What decides on the occurrences of one message.
    struct Rules {
        let purposes: MessagePurposes
        let enforcement: EnforcementHistory
        /// Whether its links are switched off now.
        var isDisabled = false
    }

    /// - Parameters:
    ///   - rules: by message; an occurrence of a message without rules is dropped.
    ///   - undecidable: messages for which the rules or the recipients' consent cannot be relied on.
    ///   - statuses: one for each occurrence.
    ///   - instants: the time as of which each is judged; `nil` stands for the times of the occurrences. An unjudged
    ///     occurrence may have come after its message was switched off: it is dropped if the message is switched off
    ///     now.
    init(
        _ occurrences: [SpooledOccurrence], rules: [MessageID: Rules], undecidable: Set<MessageID> = [],
        statuses: [ConsentStatus], instants: [Timestamp]? = nil
    ) {
        kept.reserveCapacity(occurrences.count)
        let instants = instants ?? occurrences.map(\.occurrence.occurredAt)
        for ((spooled, instant), status) in zip(zip(occurrences, instants), statuses) {
            guard !undecidable.contains(spooled.occurrence.message) else {
                undecided.append(spooled)
                continue
            }
            let verdict = rules[spooled.occurrence.message].map {
                spooled.isUnjudged && $0.isDisabled
                    ? Verdict.trackingOff : $0.enforcement.policy(at: instant).decide(status, at: instant)
            }
            if verdict?.outcome == .tracked {
                kept.append(spooled)
            } else {
                droppedCount += 1
            }
        }
    }

    /// Keeps the untimed occurrences only as far as `later`, which decided on those that were kept, keeps them, too.
    mutating func narrow(untimed later: DrainPlan) {
        let stay = Set(later.kept.map(\.id))
        kept.removeAll { $0.certainty == .untimed && !stay.contains($0.id) }
        undecided += later.undecided
        droppedCount += later.droppedCount
    }
}
