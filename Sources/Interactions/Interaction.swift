package import Identifiers

/// A stored interaction as a reader gets it.
package struct Interaction: Hashable, Sendable {
    package let id: InteractionID
    package let position: InteractionPosition
    package let kind: InteractionKind
    package let source: InteractionSource
    package let occurredAt: Timestamp
    package let recordedAt: Timestamp
    /// `nil` once the recipient was erased.
    package let recipient: RecipientID?
    package let message: MessageID
    package let link: LinkIndex
    package let action: ActionIdentifier?
    package let visitor: Visitor
    /// Whether this recipient had not done this with this message before.
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

/// Which interactions are asked for. A filter that is `nil` lets everything through.
package struct InteractionQuery: Hashable, Sendable {
    package var recipient: RecipientID?
    package var message: MessageID?
    package var kind: InteractionKind?
    /// What the kinds that are asked for tell of a recipient.
    package var activity: TrackedActivity?
    package var visitor: VisitorClass?
    /// The link that was followed.
    package var link: LinkIndex?
    package var automated: Bool?
    package var isFirst: Bool?
    /// Included.
    package var from: Timestamp?
    /// Not included.
    package var to: Timestamp?
    /// Behind the last one that the reader has.
    package var after: InteractionPlace?

    package init(
        recipient: RecipientID? = nil, message: MessageID? = nil, kind: InteractionKind? = nil,
        activity: TrackedActivity? = nil, visitor: VisitorClass? = nil, link: LinkIndex? = nil,
        automated: Bool? = nil, isFirst: Bool? = nil, from: Timestamp? = nil, to: Timestamp? = nil,
        after: InteractionPlace? = nil
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
