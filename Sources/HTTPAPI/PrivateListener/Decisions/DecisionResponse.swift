import Consent
import Identifiers
import Interactions
import JSON
import Ledger
import UseCases

/// The answer to the question why a recipient was tracked or not: the decision, the rule that applied, the consent
/// record that it rests on, the recipient's later interactions with the message, and the proof of the decision.
struct DecisionResponse: Sendable {
    let entry: DecisionEntry
    let record: ConsentRecord?
    private let interactions: Page<LinkedInteraction>
    /// `nil` for a decision older than the ledger, and while the ledger cannot be signed.
    private let proof: String?

    /// - Returns: `nil` when the organization has no such decision.
    init?(
        _ id: DecisionID, in organization: OrganizationID, _ decisions: any DecisionArchive,
        _ consent: any ConsentArchive,
        _ interactions: LinkedInteractions, _ proofs: LedgerProofs
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
        proof = try await Self.proof(of: id, in: organization, proofs)
    }

    /// A closed ledger still gives proofs.
    private static func proof(
        of id: DecisionID, in organization: OrganizationID, _ proofs: LedgerProofs
    ) async throws -> String? {
        do {
            return try await proofs.proof(of: id, in: organization).map { String(decoding: $0, as: UTF8.self) }
        } catch is LedgerInconsistency {
            return nil
        } catch is CheckpointArchiveFailure {
            return nil
        }
    }

    /// The recipient's interactions with the message. If a recipient has two decisions, clicks belong to one and opens
    /// to the other. An untracked recipient may have some by a link of another decision, and an auditor must see them.
    /// - Returns: `nil` if the recipient is no longer known.
    private static func afterwards(_ entry: DecisionEntry) -> InteractionQuery? {
        guard let recipient = entry.recipient else { return nil }
        return InteractionQuery(
            recipient: recipient, message: entry.message, activity: entry.activity, from: entry.decidedAt)
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
        writer.objects("interactions", interactions.items) { $1.members(of: $0) }
        let next = interactions.next { InteractionCursor(after: .position($0.interaction.position)).description }
        writer.member("next", next)
        writer.member("proof", proof)
    }
}
