package import Identifiers

/// The part of a message that a click needs: its organization, its targets, and what is recorded.
package struct FollowedMessage: Hashable, Sendable {
    package let id: MessageID
    package let organization: OrganizationID
    package let purposes: MessagePurposes
    /// Its owner switched its links off.
    package let isDisabled: Bool
    /// Its sender turned tracking off: its links redirect, and nothing of them is recorded.
    package let isUntracked: Bool
    /// Whether openings of it are recorded.
    package let tracksOpens: Bool
    /// The ids of its buttons.
    package let actions: [String]
    /// The targets of the links that a tracking ID may name, including added ones.
    package let targets: [LinkIndex: TargetURL]

    package init(
        id: MessageID, organization: OrganizationID, purposes: MessagePurposes, isDisabled: Bool, isUntracked: Bool,
        tracksOpens: Bool, actions: [String], targets: [LinkIndex: TargetURL]
    ) {
        self.id = id
        self.organization = organization
        self.purposes = purposes
        self.isDisabled = isDisabled
        self.isUntracked = isUntracked
        self.tracksOpens = tracksOpens
        self.actions = actions
        self.targets = targets
    }

    package init(_ message: StoredMessage) {
        var wrapped = message.content
        // Links of an untracked message, too: it may have been changed in the database directly.
        wrapped.tracking = true
        let links = (wrapped.links + message.addedLinks).filter(\.isTracked)
        self.init(
            id: message.id, organization: message.organization, purposes: message.content.purposes,
            isDisabled: message.isDisabled, isUntracked: !message.content.tracking,
            tracksOpens: message.content.openTracking, actions: message.content.actions.map(\.id),
            targets: Dictionary(links.map { ($0.index, $0.target) }) { own, _ in own })
    }
}
