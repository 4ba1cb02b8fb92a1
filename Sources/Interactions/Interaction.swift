package import Identifiers

/// A stored interaction in the form for readers.
package struct Interaction: Hashable, Sendable {
    package let id: InteractionID
    package let position: InteractionPosition
    package let kind: InteractionKind
    package let source: InteractionSource
    package let occurredAt: Timestamp
    package let recordedAt: Timestamp
    /// `nil` after the recipient was erased.
    package let recipient: RecipientID?
    package let message: MessageID
    package let link: LinkIndex
    package let action: ActionIdentifier?
    package let visitor: Visitor
    /// Whether it is the recipient's first interaction of this kind with this message.
    package let isFirst: Bool

    package init(
        id: InteractionID, position: InteractionPosition, kind: InteractionKind, source: InteractionSource,
        occurredAt: Timestamp, recordedAt: Timestamp, recipient: RecipientID?, message: MessageID, link: LinkIndex,
        action: ActionIdentifier?, visitor: Visitor, isFirst: Bool
    ) {
        self.id = id
        self.position = position
        self.kind = kind
        self.source = source
        self.occurredAt = occurredAt
        self.recordedAt = recordedAt
        self.recipient = recipient
        self.message = message
        self.link = link
        self.action = action
        self.visitor = visitor
        self.isFirst = isFirst
    }
}

/// A query for interactions. A filter of `nil` matches all.
package struct InteractionQuery: Hashable, Sendable {
    package var recipient: RecipientID?
    package var message: MessageID?
    package var kind: InteractionKind?
    /// The activity of the requested kinds.
    package var activity: TrackedActivity?
    package var visitor: VisitorClass?
    /// The link that was clicked.
    package var link: LinkIndex?
    package var automated: Bool?
    package var isFirst: Bool?
    /// Inclusive.
    package var from: Timestamp?
    /// Exclusive.
    package var to: Timestamp?
    /// The place after the last interaction that the reader has.
    package var after: InteractionFeedCursor?

    package init(
        recipient: RecipientID? = nil, message: MessageID? = nil, kind: InteractionKind? = nil,
        activity: TrackedActivity? = nil, visitor: VisitorClass? = nil, link: LinkIndex? = nil,
        automated: Bool? = nil, isFirst: Bool? = nil, from: Timestamp? = nil, to: Timestamp? = nil,
        after: InteractionFeedCursor? = nil
    ) {
        self.recipient = recipient
        self.message = message
        self.kind = kind
        self.activity = activity
        self.visitor = visitor
        self.link = link
        self.automated = automated
        self.isFirst = isFirst
        self.from = from
        self.to = to
        self.after = after
    }
}
