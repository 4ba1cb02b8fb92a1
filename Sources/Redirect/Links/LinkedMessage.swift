package import Identifiers
package import Interactions
import Messages

/// What a click needs of a message: where its links lead, whether they are on, and which rules apply.
package final class LinkedMessage: Sendable {
    package let id: MessageID
    package let organization: OrganizationID
    package let purposes: MessagePurposes
    package let isDisabled: Bool
    /// Whether its sender turned tracking off. Then it has no links that were wrapped, unless the message was changed
    /// behind the service's back: they redirect, and nothing of them is recorded.
    package let isUntracked: Bool
    /// Whether openings of it are recorded.
    package let tracksOpening: Bool
    package let rules: RecordingRules
    /// Whose clicks are recorded no more.
    private let revokedClicks: RevocationList
    /// Whose openings are recorded no more; the list of the clicks where both have one purpose.
    private let revokedOpens: RevocationList
    /// The ids of its buttons.
    private let actions: [String]
    private let redirects: [LinkIndex: PreparedRedirect]
    /// Roughly what it takes in memory, in bytes.
    let size: Int

    init(_ message: StoredMessage, rules: RecordingRules) {
        id = message.id
        organization = message.organization
        purposes = message.content.purposes
        isDisabled = message.isDisabled
        isUntracked = !message.content.tracking
        tracksOpening = message.content.openTracking
        self.rules = rules
        revokedClicks = rules.revocations(for: purposes.clicks)
        revokedOpens = rules.revocations(for: purposes.opens)
        actions = message.content.actions.map(\.id)
        let wrapped = message.wrappableLinks
        redirects = Dictionary(uniqueKeysWithValues: wrapped.map { ($0.index, PreparedRedirect(to: $0.target)) })
        size = redirects.values.reduce(256) { $0 + $1.size } + actions.reduce(0) { $0 + $1.utf8.count + 16 }
    }

    private init(_ other: LinkedMessage, redirects: [LinkIndex: PreparedRedirect]) {
        id = other.id
        organization = other.organization
        purposes = other.purposes
        isDisabled = other.isDisabled
        isUntracked = other.isUntracked
        tracksOpening = other.tracksOpening
        rules = other.rules
        revokedClicks = other.revokedClicks
        revokedOpens = other.revokedOpens
        actions = other.actions
        self.redirects = redirects
        size = redirects.values.reduce(256) { $0 + $1.size } + actions.reduce(0) { $0 + $1.utf8.count + 16 }
    }

    /// This message with those of `links` that it does not have.
    func adding(_ links: [MessageLink]) -> LinkedMessage {
        let missing = links.filter { $0.isTracked && redirects[$0.index] == nil }
        guard !missing.isEmpty else { return self }
        var all = redirects
        for link in missing { all[link.index] = PreparedRedirect(to: link.target) }
        return LinkedMessage(self, redirects: all)
    }

    /// This message with the links of `older` that it does not have. Links are never removed, and this message may have
    /// been read before some of them were added.
    func keepingLinks(of older: LinkedMessage) -> LinkedMessage {
        guard older.redirects.contains(where: { redirects[$0.key] == nil }) else { return self }
        return LinkedMessage(self, redirects: redirects.merging(older.redirects) { own, _ in own })
    }

    /// What decides whether something that `recipient` did with the message is recorded at `now`.
    ///
    /// - Parameters:
    ///   - activity: what it was; each has a purpose, and may have one of its own.
    ///   - expires: when recording by the tracking ID ends.
    package func recordingPolicy(
        for recipient: RecipientReference, of activity: TrackedActivity, expires: Timestamp, at now: Timestamp
    ) -> RecordingPolicy {
        let isRevoked =
            switch activity {
            case .clicks: revokedClicks.contains(recipient, at: now)
            case .opens: revokedOpens.contains(recipient, at: now)
            }
        return RecordingPolicy(
            honorsGPC: rules.honorsGPC, expires: expires, consentEnded: isUntracked || isRevoked,
            isFull: rules.isFull)
    }

    /// Whether a payload of the message has a button of this name; every payload has the tap.
    package func names(_ action: ActionIdentifier) -> Bool {
        action == .tap || actions.contains { $0.utf8.elementsEqual(action.text.utf8) }
    }

    /// The answer for the link at `index`; `nil` where the message has no link that can be wrapped.
    func redirect(_ index: LinkIndex) -> PreparedRedirect? { redirects[index] }
}

extension StoredMessage {
    /// The links that a tracking ID may be of, whether or not the message is tracked now.
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
