import Consent
import Identifiers
import Messages
import Organizations

extension Composer {
    /// The decisions of a request that had its effect, as they permit now.
    ///
    /// Consent is asked for anew: a request may be repeated for a day, and a withdrawal holds from the next payload on.
    /// Nothing is decided anew: a recipient who was not tracked then is not tracked now.
    ///
    /// - Returns: the decisions, and by their places why those that permit nothing any more do not.
    func standing(
        _ effect: RequestEffect, about recipients: [RecipientID], of message: StoredMessage,
        in organization: Organization
    ) async throws -> (decisions: [RecordedDecision], ended: [Int: DecisionReason]) {
        var recorded = try await decisions.decisions(
            from: DecisionID(effect.first), through: DecisionID(effect.last), in: organization.id)
        let moment = now()
        let standings = try await consent.standings(
            of: recipients, for: message.content.purpose, in: organization.id, at: moment
        ).standings
        guard recorded.count == standings.count else { throw Problem.notFound }
        let policy = ConsentPolicy(enforcement: organization.enforcement)
        var ended: [Int: DecisionReason] = [:]
        for (place, standing) in standings.enumerated() where recorded[place].reason.outcome == .tracked {
            let verdict = policy.decide(standing, at: moment)
            guard verdict.outcome == .untracked else { continue }
            ended[place] = verdict.reason
            recorded[place] = recorded[place].withoutPermit
        }
        return (recorded, ended)
    }
}
