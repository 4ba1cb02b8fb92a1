import Consent
import Identifiers
import Interactions
import UseCases

/// The records about a person, or those of one day.
struct PersonRecords: Sendable {
    /// The greatest number of records of each kind.
    static let maximumCount = 20_000
    private static let atOnce = 1000

    /// All of them, for any day: decisions rest on earlier ones. Without their evidence, which is read for those that
    /// are shown.
    let consents: [ConsentRecord]
    let requests: [ConsentRequest]
    let decisions: [DecisionEntry]
    let interactions: [LinkedInteraction]
    /// Erased, and without a consent record since.
    let isErased: Bool

    /// Whether there are more records than were read.
    var isCut: Bool {
        [consents.count, requests.count, decisions.count, interactions.count].contains { $0 >= Self.maximumCount }
    }

    var isEmpty: Bool { consents.isEmpty && requests.isEmpty && decisions.isEmpty && interactions.isEmpty }

    static func read(
        of recipient: RecipientID, on day: Range<Timestamp>?, _ stores: Stores, _ linked: LinkedInteractions,
        in organization: OrganizationID, at now: Timestamp
    ) async throws -> PersonRecords {
        let statuses = try await stores.consent.statusesForPreview(
            of: [recipient], for: [.tracking], in: organization, at: now)
        let consents = try await pages(upTo: maximumCount) { (last: ConsentRecord?) in
            try await stores.consent.historyWithoutEvidence(of: recipient, after: last, limit: atOnce, in: organization)
        }
        let requests = try await pages(upTo: maximumCount) { (last: ConsentRequest?) in
            try await stores.consentRequests.requests(
                about: recipient, after: last?.id, limit: atOnce, in: organization)
        }
        let decisions = try await pages(upTo: maximumCount) { (last: DecisionEntry?) in
            try await stores.decisions.decisions(
                matching: DecisionQuery(
                    recipient: recipient, from: day?.lowerBound, to: day?.upperBound, after: last?.id),
                limit: atOnce, in: organization)
        }
        let interactions = try await pages(upTo: maximumCount) { (last: LinkedInteraction?) in
            try await linked.matching(
                InteractionQuery(
                    recipient: recipient, from: day?.lowerBound, to: day?.upperBound,
                    after: last.map { .position($0.interaction.position) }),
                limit: atOnce, in: organization)
        }
        return PersonRecords(
            // The store returns them by purpose.
            consents: consents.sorted { $0.id < $1.id }, requests: requests, decisions: decisions,
            interactions: interactions, isErased: statuses.statuses.contains(.erased))
    }

    /// Whether a consent record is one of the person's, for any number of records.
    static func hasConsent(
        _ id: ConsentRecordID, of recipient: RecipientID, _ consent: any ConsentArchive, in organization: OrganizationID
    ) async throws -> Bool {
        try await consent.recordIDs(of: recipient, in: organization).contains(id)
    }

    /// Reads page after page.
    /// - Parameter page: returns at most ``atOnce`` items after the last one that was read.
    private static func pages<Item>(
        upTo maximumCount: Int, _ page: (_ last: Item?) async throws -> [Item]
    ) async throws -> [Item] {
        var items: [Item] = []
        var more = true
        while more, items.count < maximumCount {
            let found = try await page(items.last)
            items += found
            more = found.count == atOnce
        }
        return items
    }
}
