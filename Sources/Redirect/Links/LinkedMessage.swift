package import Identifiers
package import Interactions
import Messages

/// What a click needs of a message: where its links lead, whether they are on, and which rules apply.
package final class LinkedMessage: Sendable {
    package let id: MessageID
    package let organization: OrganizationID
    package let purposes: MessagePurposes
    package let isDisabled: Bool
    /// Whether its sender turned tracking off. Then it has no tracked links, unless the message was changed in the
    /// database directly: such links redirect, and their clicks are not recorded.
    package let isUntracked: Bool
    /// Whether openings of it are recorded.
    package let tracksOpens: Bool
    package let rules: RecordingRules
    /// The recipients whose clicks are no longer recorded.
    private let revokedClicks: RevocationList
    /// The recipients whose openings are no longer recorded; the same list as for clicks if both have one purpose.
    private let revokedOpens: RevocationList
    /// The recipients who said no to opens apart from links, if that counts here; see ``MessagePurposes/opensApart``.
    /// It is not the list of that purpose, which also has those who said nothing about it.
    private let refusedOpens: RevocationList?
    /// The ids of its buttons.
    private let actions: [String]
    private let redirects: [LinkIndex: PreparedRedirect]
    /// Roughly what it takes in memory, in bytes.
    let size: Int

    init(_ message: FollowedMessage, rules: RecordingRules) {
        id = message.id
        organization = message.organization
        purposes = message.purposes
        isDisabled = message.isDisabled
        isUntracked = message.isUntracked
        tracksOpens = message.tracksOpens
        self.rules = rules
        revokedClicks = rules.revocations(for: purposes.clicks)
        revokedOpens = rules.revocations(for: purposes.opens)
        refusedOpens = purposes.opensApart == nil ? nil : rules.refusedOpens
        actions = message.actions
        redirects = message.targets.mapValues { PreparedRedirect(to: $0) }
        size = redirects.values.reduce(256) { $0 + $1.size } + actions.reduce(0) { $0 + $1.utf8.count + 16 }
    }

    private init(_ other: LinkedMessage, redirects: [LinkIndex: PreparedRedirect]) {
        id = other.id
        organization = other.organization
        purposes = other.purposes
        isDisabled = other.isDisabled
        isUntracked = other.isUntracked
        tracksOpens = other.tracksOpens
        rules = other.rules
        revokedClicks = other.revokedClicks
        revokedOpens = other.revokedOpens
        refusedOpens = other.refusedOpens
        actions = other.actions
        self.redirects = redirects
        size = redirects.values.reduce(256) { $0 + $1.size } + actions.reduce(0) { $0 + $1.utf8.count + 16 }
    }

    /// This message with the links of `other` that it does not have. Links are never removed, and either message may
    /// have been read before some of them were added.
    func keepingLinks(of other: LinkedMessage) -> LinkedMessage {
        guard other.redirects.contains(where: { redirects[$0.key] == nil }) else { return self }
        return LinkedMessage(self, redirects: redirects.merging(other.redirects) { own, _ in own })
    }

    /// The message as a value, for another node.
    var message: FollowedMessage {
        FollowedMessage(
            id: id, organization: organization, purposes: purposes, isDisabled: isDisabled, isUntracked: isUntracked,
            tracksOpens: tracksOpens, actions: actions, targets: redirects.compactMapValues(\.target))
    }

    /// The policy that decides whether an act of `recipient` with the message is recorded at `now`.
    ///
    /// - Parameters:
    ///   - activity: clicks or opens; each may have a purpose of its own.
    ///   - expires: the time from which on nothing is recorded with the tracking ID.
    ///   - mayObject: whether the request may have an objection by Global Privacy Control. The question whether that
    ///     counts reads a clock.
    package func recordingPolicy(
        for recipient: RecipientReference, of activity: TrackedActivity, expires: Timestamp, mayObject: Bool = true,
        at now: Timestamp
    ) -> RecordingPolicy {
        let isRevoked =
            switch activity {
            case .clicks: revokedClicks.contains(recipient, at: now)
            case .opens:
                revokedOpens.contains(recipient, at: now) || refusedOpens?.contains(recipient, at: now) ?? false
            }
        return RecordingPolicy(
            honorsGPC: mayObject && rules.honorsGPCNow, expires: expires, consentEnded: isUntracked || isRevoked,
            isFull: rules.isFull)
    }

    /// Whether a payload of the message has a button of this name; every payload has the tap.
    package func names(_ action: ActionIdentifier) -> Bool {
        action == .tap || actions.contains { $0.utf8.elementsEqual(action.text.utf8) }
    }

    /// The answer for the link at `index`; `nil` where the message has no link that can be wrapped.
    func redirect(_ index: LinkIndex) -> PreparedRedirect? { redirects[index] }

    /// Whether `link` is a link of it, or the message itself.
    func has(_ link: LinkIndex) -> Bool { link == .message || redirects[link] != nil }
}

extension PreparedRedirect {
    /// Roughly what it takes in memory as one of many, in bytes.
    fileprivate var size: Int { bytes.count + 64 }
}
