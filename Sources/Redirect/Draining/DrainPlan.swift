import Consent
import Identifiers
import Interactions

/// Which spooled occurrences become interactions: those that the consent records known by now permit as of the moment
/// they occurred or, if that may have been any moment of a span, throughout the span, and that retention would not delete
/// at once. A total function: the caller reads rules and consent before.
struct DrainPlan {
    private(set) var kept: [SpooledOccurrence] = []
    /// The occurrences for which it cannot be decided now whether they are permitted.
    private(set) var undecided: [SpooledOccurrence] = []
    /// How many were not permitted.
    private(set) var droppedCount = 0
    /// How many were permitted, and are older than their organization keeps interactions.
    private(set) var pastRetentionCount = 0
    /// What devices reported of what is dropped.
    private(set) var droppedReports: [Occurrence] = []

    /// What decides on the occurrences of one message.
    struct Rules {
        let purposes: MessagePurposes
        let enforcement: EnforcementHistory
        /// Whether its links are disabled now.
        var isDisabled = false
        /// Interactions of before this time are deleted because of their age; `nil` if none are.
        var keptFrom: Timestamp?

        /// Whether it is too old to be kept. Its id carries when it was spooled. A node that did not know the time then
        /// made the id with an earlier one, and the occurrence must be too old by its own time, too.
        fileprivate func isPastRetention(_ spooled: SpooledOccurrence) -> Bool {
            guard let keptFrom, spooled.id.rawValue < TimeOrderedNumber.lowerBound(at: keptFrom) else { return false }
            return spooled.certainty != .untimed || spooled.occurrence.occurredAt < keptFrom
        }

        /// - Parameters:
        ///   - status: as of the end of `span` or, if that is `nil`, as of `time`.
        ///   - span: when it may have occurred. It may have come after the links were disabled, and nothing is
        ///     permitted throughout the span if the record in force at its end is not in force at its beginning.
        fileprivate func permit(
            _ status: ConsentStatus, in span: ClosedRange<Timestamp>?, orAt time: Timestamp
        ) -> Bool {
            guard let span else { return enforcement.policy(at: time).decide(status, at: time).outcome == .tracked }
            if isDisabled { return false }
            if case .inForce(let consent) = status, consent.occurredAt > span.lowerBound { return false }
            return enforcement.policies(in: span).allSatisfy {
                $0.decide(status, at: span.upperBound).outcome == .tracked
            }
        }
    }

    /// - Parameters:
    ///   - rules: by message; an occurrence of a message without rules is dropped.
    ///   - undecidable: messages for which the rules or the recipients' consent cannot be relied on.
    ///   - statuses: one for each occurrence, as of the end of its span or, without one, as of its time.
    ///   - spans: when each may have come, as ``OccurrenceTimes/span(of:in:now:)`` has it; `nil` if none has a span.
    init(
        _ occurrences: [SpooledOccurrence], rules: [MessageID: Rules], undecidable: Set<MessageID> = [],
        statuses: [ConsentStatus], spans: [ClosedRange<Timestamp>?]? = nil
    ) {
        kept.reserveCapacity(occurrences.count)
        for (index, (spooled, status)) in zip(occurrences, statuses).enumerated() {
            let span = spans?[index]
            guard !undecidable.contains(spooled.occurrence.message) else {
                undecided.append(spooled)
                continue
            }
            let time = spooled.occurrence.occurredAt
            if let rules = rules[spooled.occurrence.message], rules.permit(status, in: span, orAt: time) {
                guard rules.isPastRetention(spooled) else {
                    kept.append(spooled)
                    continue
                }
                pastRetentionCount += 1
            } else {
                droppedCount += 1
            }
            if spooled.occurrence.source != .redirect { droppedReports.append(spooled.occurrence) }
        }
    }
}
