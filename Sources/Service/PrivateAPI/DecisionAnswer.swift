import Consent
import Identifiers
import Interactions
import JSON

/// All there is to say to whoever asks why somebody was tracked or not: the decision, the rule that applied, the consent
/// record it rests on, and what was recorded of its link afterwards.
struct DecisionAnswer: Sendable {
    let entry: DecisionEntry
    let record: ConsentRecord?
    private let interactions: Page<LinkedInteraction>

    /// - Returns: `nil` when the organization has no such decision.
    init?(
        _ id: DecisionID, in organization: OrganizationID, _ decisions: any DecisionLog, _ consent: any ConsentStore,
        _ interactions: LinkedInteractions
    ) async throws {
        guard let entry = try await decisions.decision(id, in: organization) else { return nil }
        self.entry = entry
        var record: ConsentRecord?
        if let id = entry.consent { record = try await consent.record(id, in: organization) }
        self.record = record
        var found: [LinkedInteraction] = []
        if let query = Self.afterwards(entry) {
            found = try await interactions.matching(query, limit: PageLimit.standard.count + 1, in: organization)
        }
        self.interactions = Page(found, limit: .standard)
    }

    /// What happened to the link. Nothing is recorded of one whose consent has ended, so what there is, is from while it
    /// lasted.
    /// - Returns: `nil` where there was no link, and where nobody can say any more whose it was.
    private static func afterwards(_ entry: DecisionEntry) -> InteractionQuery? {
        guard entry.reason.outcome == .tracked, let recipient = entry.recipient else { return nil }
        return InteractionQuery(recipient: recipient, message: entry.message, from: entry.decidedAt)
    }

    func write(to writer: inout JSONWriter) {
        let rule = AppliedRule(entry)
        writer.members(of: entry)
        writer.key("policy")
        writer.object { writer in
            writer.member("enforcement", entry.enforcement.rawValue)
            writer.member("inForce", rule.inForce?.rawValue)
            writer.member("rule", rule.sentence)
        }
        writer.key("consentRecord")
        if let record {
            writer.object { $0.members(of: record, about: entry.recipient) }
        } else {
            writer.null()
        }
        writer.key("interactions")
        writer.array { writer in
            for item in interactions.items { writer.object { $0.members(of: item) } }
        }
        writer.member("next", interactions.hasNext ? interactions.items.last?.interaction.id.description : nil)
    }
}
