import Consent
import Identifiers
import Interactions
import UseCases

/// What is held about a person, or what of it is of one day.
struct PersonRecords: Sendable {
    /// Of decisions and of interactions, each.
    static let most = 20_000
    private static let atOnce = 1000

    /// All of them, whatever the day: decisions rest on earlier ones.
    let consents: [ConsentRecord]
    let requests: [ConsentRequest]
    let decisions: [DecisionEntry]
    let interactions: [LinkedInteraction]
    /// Erased, and without a consent since.
    let isErased: Bool

    /// Whether there is more than is read.
    var isCut: Bool { decisions.count >= Self.most || interactions.count >= Self.most }

    var isEmpty: Bool { consents.isEmpty && requests.isEmpty && decisions.isEmpty && interactions.isEmpty }

    static func read(
        of recipient: RecipientID, on day: Range<Timestamp>?, _ stores: Stores, _ linked: LinkedInteractions,
        in organization: OrganizationID, at now: Timestamp
    ) async throws -> PersonRecords {
        let statuses = try await stores.consent.statusesUndecided(
            of: [recipient], for: [.tracking], in: organization, at: now)
        var decisions: [DecisionEntry] = []
        var more = true
        while more, decisions.count < most {
            let found = try await stores.decisions.decisions(
                matching: DecisionQuery(
                    recipient: recipient, from: day?.lowerBound, to: day?.upperBound, after: decisions.last?.id),
                limit: atOnce, in: organization)
            decisions += found
            more = found.count == atOnce
        }
        var interactions: [LinkedInteraction] = []
        more = true
        while more, interactions.count < most {
            let found = try await linked.matching(
                InteractionQuery(
                    recipient: recipient, from: day?.lowerBound, to: day?.upperBound,
                    after: interactions.last.map { .position($0.interaction.position) }),
                limit: atOnce, in: organization)
            interactions += found
            more = found.count == atOnce
        }
        return PersonRecords(
            consents: try await stores.consent.history(of: recipient, in: organization),
            requests: try await stores.consentRequests.requests(about: recipient, in: organization),
            decisions: decisions, interactions: interactions, isErased: statuses.statuses.contains(.erased))
    }
}
