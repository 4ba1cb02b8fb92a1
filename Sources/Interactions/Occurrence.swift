package import Identifiers

/// An interaction as it is known when it happens: references and numbers, without anything that names a recipient.
package struct Occurrence: Hashable, Sendable {
    // The largest first, without gaps between them: several batches with thousands of these are in memory at once.
    package let occurredAt: Timestamp
    package let message: MessageID
    package let recipient: RecipientReference
    /// The button that was pressed, if a device reports it.
    package let action: ActionIdentifier?
    /// The link that was followed; ``LinkIndex/message`` if there was none.
    package let link: LinkIndex
    package let kind: InteractionKind
    package let source: InteractionSource
    package let visitor: Visitor

    package init(
        kind: InteractionKind, source: InteractionSource, occurredAt: Timestamp, message: MessageID,
        recipient: RecipientReference, link: LinkIndex, visitor: Visitor, action: ActionIdentifier? = nil
    ) {
        self.kind = kind
        self.source = source
        self.occurredAt = occurredAt
        self.message = message
        self.recipient = recipient
        self.link = link
        self.visitor = visitor
        self.action = action
    }
}

/// An occurrence with its id: it is in the spool, or on its way from there into the store.
package struct SpooledOccurrence: Hashable, Sendable {
    package let id: InteractionID
    package let occurrence: Occurrence
    package let certainty: Certainty

    /// How much the recording node knew. The raw values are those of the spool's files.
    package enum Certainty: Int64, CaseIterable, Sendable {
        /// It knew every withdrawal.
        case judged = 0
        /// It may not have known every withdrawal. The occurrence must be judged by its time.
        case unjudged = 1
        /// Besides, it did not know the time of the storage. The occurrence may have come at any time from that of its
        /// id or its own, if that is earlier, until the present.
        case untimed = 2
    }

    /// Whether the occurrence must be judged before it is stored.
    package var isUnjudged: Bool { certainty != .judged }

    package init(id: InteractionID, occurrence: Occurrence, certainty: Certainty = .judged) {
        self.id = id
        self.occurrence = occurrence
        self.certainty = certainty
    }
}
