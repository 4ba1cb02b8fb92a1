import Consent
package import Formats
package import Identifiers
import Messages
package import Organizations

extension Composer {
    /// The payloads that ``compose(_:as:for:in:fingerprint:)`` would make for `recipients` now, in their order.
    package func preview(
        _ message: PreviewedMessage, as compiled: CompiledMessage, for recipients: [RecipientID],
        in organization: Organization
    ) async throws -> PreviewedPayloads {
        let time = now()
        // A lifetime that no link can have is refused here too.
        _ = try expiry(of: message.content, composedAt: time)
        let answer = try await consent.statusesForPreview(
            of: recipients, for: message.content.purposes.distinct, in: organization.id, at: time)
        let policy = ConsentPolicy(enforcement: answer.enforcement)
        let reasons = answer.statuses.map { Self.verdict(on: $0, of: message.content, by: policy, at: time).reason }
        metrics.countPreviewed(reasons)
        let areApart = message.content.purposes.shared == nil
        return PreviewedPayloads(
            message: message.id, compiled: compiled, recipients: recipients,
            reasons: recipients.indices.map {
                areApart ? .apart(clicks: reasons[2 * $0], opens: reasons[2 * $0 + 1]) : .together(reasons[$0])
            })
    }
}
