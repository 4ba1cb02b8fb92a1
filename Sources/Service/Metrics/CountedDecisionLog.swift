import Consent
import Counting
import Identifiers

/// A decision log that counts what was decided, once it is durable.
struct CountedDecisionLog: DecisionLog, MetricSource {
    let log: any DecisionLog
    private let counters = CounterArray(count: DecisionReason.allCases.count)
    private static let places = Dictionary(
        uniqueKeysWithValues: DecisionReason.allCases.enumerated().map { ($1, $0) })

    init(_ log: any DecisionLog) { self.log = log }

    func append(
        _ decisions: [Decision], of message: MessageID, enforcement: Enforcement, in organization: OrganizationID,
        asOf basis: StandingsBasis, at now: Timestamp, once mark: RequestMark?
    ) async throws -> [RecordedDecision] {
        let recorded = try await log.append(
            decisions, of: message, enforcement: enforcement, in: organization, asOf: basis, at: now, once: mark)
        for decision in recorded { Self.places[decision.reason].map { counters.add(at: $0) } }
        return recorded
    }

    func decisions(
        from first: DecisionID, through last: DecisionID, in organization: OrganizationID
    ) async throws -> [RecordedDecision] {
        try await log.decisions(from: first, through: last, in: organization)
    }

    func decisions(
        matching query: DecisionQuery, limit: Int, in organization: OrganizationID
    ) async throws -> [DecisionEntry] {
        try await log.decisions(matching: query, limit: limit, in: organization)
    }

    func decision(_ id: DecisionID, in organization: OrganizationID) async throws -> DecisionEntry? {
        try await log.decision(id, in: organization)
    }

    func counts(of message: MessageID, in organization: OrganizationID) async throws -> [DecisionReason: Int] {
        try await log.counts(of: message, in: organization)
    }

    var metrics: [MetricFamily] {
        [
            .counters(
                "consentlink_decisions_total", "Decisions whether to track a recipient, by outcome and reason.",
                DecisionReason.allCases.enumerated().map { place, reason in
                    (
                        [.init("outcome", reason.outcome.rawValue), .init("reason", reason.rawValue)],
                        counters[place]
                    )
                })
        ]
    }
}
