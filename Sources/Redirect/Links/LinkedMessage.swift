package import Identifiers
import Messages

/// What a click needs to know of a message: where its links lead, whether they are on, and whose rules apply.
package final class LinkedMessage: Sendable {
    package let id: MessageID
    package let organization: OrganizationID
    package let purpose: Purpose
    package let isDisabled: Bool
    package let gate: OrganizationGate
    package let revocations: RevocationList
    private let redirects: [LinkIndex: PreparedRedirect]
    /// Roughly what it takes in memory, in bytes.
    let size: Int

    init(_ message: StoredMessage, gate: OrganizationGate) {
        id = message.id
        organization = message.organization
        purpose = message.content.purpose
        isDisabled = message.isDisabled
        self.gate = gate
        revocations = gate.revocations(for: purpose)
        let tracked = message.content.links.filter(\.isTracked)
        redirects = Dictionary(uniqueKeysWithValues: tracked.map { ($0.index, PreparedRedirect(to: $0.target)) })
        size = redirects.values.reduce(256) { $0 + $1.bytes.count + 64 }
    }

    /// The answer for the link at `index`; `nil` where the message has no tracked link there.
    func redirect(_ index: LinkIndex) -> PreparedRedirect? { redirects[index] }
}
