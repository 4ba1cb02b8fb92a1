import Consent
import Identifiers
import Interactions
import UseCases

/// One event of a person's timeline.
struct TimelineEvent: Sendable {
    enum Content: Sendable {
        case consent(ConsentRecord)
        case request(ConsentRequest)
        /// - Parameter basis: the consent record that the decision rests on.
        case decision(DecisionEntry, basis: ConsentRecord?)
        case interaction(LinkedInteraction)
    }

    let at: Timestamp
    let content: Content

    /// Newest first; of two at the same time, the one that follows from the other comes first.
    static func timeline(_ records: PersonRecords, on day: Range<Timestamp>?) -> [TimelineEvent] {
        let byID = Dictionary(records.consents.map { ($0.id, $0) }) { first, _ in first }
        let events =
            records.consents.map { TimelineEvent(at: $0.occurredAt, content: .consent($0)) }
            + records.requests.map { TimelineEvent(at: $0.madeAt, content: .request($0)) }
            + records.decisions.map { entry in
                TimelineEvent(
                    at: entry.decidedAt, content: .decision(entry, basis: entry.consent.flatMap { byID[$0] }))
            }
            + records.interactions.map { TimelineEvent(at: $0.interaction.occurredAt, content: .interaction($0)) }
        return events.filter { day?.contains($0.at) ?? true }.enumerated()
            .sorted { ($0.element.at, $0.offset) > ($1.element.at, $1.offset) }.map(\.element)
    }
}
