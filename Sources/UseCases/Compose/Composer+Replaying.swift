import Consent
import Identifiers
import Messages
import Organizations
import StoragePorts

extension Composer {
    /// The decisions of a request that had its effect, with what they permit now.
    ///
    /// It asks for consent again, because a request may be repeated for a day, and a withdrawal counts from the next
    /// payload on. It makes no new decisions: a recipient who was not tracked then is not tracked now.
    ///
    /// - Returns: the decisions, and for those that no longer permit tracking the reason.
    func current(
        _ effect: RequestEffect, about recipients: [RecipientID], of message: StoredMessage,
        in organization: Organization
    ) async throws -> DecisionsOfMessage {
        var recorded = try await decisions.decisions(
            from: DecisionID(effect.first), through: DecisionID(effect.last), in: organization.id)
        let time = now()
        let answer = try await consent.statusesForPreview(
            of: recipients, for: message.content.purposes.distinct, in: organization.id, at: time)
        guard recorded.count == answer.statuses.count else { throw RequestRefusal.notFound }
        let policy = ConsentPolicy(enforcement: answer.enforcement)
        var ended: [Int: DecisionReason] = [:]
        for (index, status) in answer.statuses.enumerated() where recorded[index].reason.outcome == .tracked {
            let verdict = policy.decide(status, at: time)
            if verdict.outcome == .untracked {
                ended[index] = verdict.reason
                recorded[index] = recorded[index].withoutPermit
            } else if recorded[index].permit == .untracked {
                // A recipient who consents after an erasure counts as a new one. This decision was about the erased
                // one.
                ended[index] = .recipientErased
            }
        }
        return DecisionsOfMessage(recorded, ended: ended, areApart: message.content.purposes.shared == nil)
    }
}
