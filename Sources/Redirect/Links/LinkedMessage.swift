package import Identifiers
package import Interactions
import Messages

/// What a click needs to know of a message: where its links lead, whether they are on, and whose rules apply.
package final class LinkedMessage: Sendable {
    package let id: MessageID
    package let organization: OrganizationID
    package let purpose: Purpose
    package let isDisabled: Bool
    /// Whether its sender has nobody tracked. Then it has no links that were wrapped, unless the message was changed behind
    /// the service's back: they redirect, and nothing of them is recorded.
    package let isUntracked: Bool
    /// Whether its sender asked to be told when it is opened.
    package let tracksOpening: Bool
    package let gate: OrganizationGate
    package let revocations: RevocationList
    /// The names of its buttons.
    private let actions: [String]
    private let redirects: [LinkIndex: PreparedRedirect]
    /// Roughly what it takes in memory, in bytes.
    let size: Int

    init(_ message: StoredMessage, gate: OrganizationGate) {
        id = message.id
        organization = message.organization
        purpose = message.content.purpose
        isDisabled = message.isDisabled
        isUntracked = !message.content.tracking
        tracksOpening = message.content.openTracking
        self.gate = gate
        revocations = gate.revocations(for: purpose)
        actions = message.content.actions.map(\.id)
        let wrapped = message.wrappableLinks
        redirects = Dictionary(uniqueKeysWithValues: wrapped.map { ($0.index, PreparedRedirect(to: $0.target)) })
        size = redirects.values.reduce(256) { $0 + $1.size } + actions.reduce(0) { $0 + $1.utf8.count + 16 }
    }

    private init(_ other: LinkedMessage, redirects: [LinkIndex: PreparedRedirect]) {
        id = other.id
        organization = other.organization
        purpose = other.purpose
        isDisabled = other.isDisabled
        isUntracked = other.isUntracked
        tracksOpening = other.tracksOpening
        gate = other.gate
        revocations = other.revocations
        actions = other.actions
        self.redirects = redirects
        size = redirects.values.reduce(256) { $0 + $1.size } + actions.reduce(0) { $0 + $1.utf8.count + 16 }
    }

    /// The same with the links that it does not have.
    func adding(_ links: [MessageLink]) -> LinkedMessage {
        let missing = links.filter { $0.isTracked && redirects[$0.index] == nil }
        guard !missing.isEmpty else { return self }
        var all = redirects
        for link in missing { all[link.index] = PreparedRedirect(to: link.target) }
        return LinkedMessage(self, redirects: all)
    }

    /// The same with the links that `older` has beside its own: none is ever taken away, and it may have been read
    /// before some of them were added.
    func keepingLinks(of older: LinkedMessage) -> LinkedMessage {
        guard older.redirects.contains(where: { redirects[$0.key] == nil }) else { return self }
        return LinkedMessage(self, redirects: redirects.merging(older.redirects) { own, _ in own })
    }

    /// What decides whether something that `recipient` did with the message is recorded at `now`.
    ///
    /// - Parameter expires: when recording by the tracking ID ends.
    package func recordingPolicy(
        for recipient: RecipientReference, expires: Timestamp, at now: Timestamp
    ) -> RecordingPolicy {
        RecordingPolicy(
            honorsGPC: gate.honorsGPC, expires: expires,
            consentEnded: isUntracked || revocations.contains(recipient, at: now),
            isFull: gate.isFull)
    }

    /// Whether a payload of the message has a button or a tap of this name.
    package func names(_ action: ActionIdentifier) -> Bool {
        action == .tap || actions.contains { $0.utf8.elementsEqual(action.text.utf8) }
    }

    /// The answer for the link at `index`; `nil` where the message has no link that can be wrapped.
    func redirect(_ index: LinkIndex) -> PreparedRedirect? { redirects[index] }
}

extension StoredMessage {
    /// The links that a tracking ID may be of, whether or not the message has anybody tracked now.
    fileprivate var wrappableLinks: [MessageLink] {
        var content = content
        content.tracking = true
        return (content.links + addedLinks).filter(\.isTracked)
    }
}

extension PreparedRedirect {
    /// Roughly what it takes in memory as one of many, in bytes.
    fileprivate var size: Int { bytes.count + 64 }
}
