package import Identifiers
package import Interactions
package import TestSupport

extension SpooledOccurrence {
    /// A click on link 1. Ids made of greater numbers are greater.
    package static func click(
        _ number: UInt64, _ message: MessageID, _ recipient: RecipientReference, at instant: Timestamp = .noon
    ) -> SpooledOccurrence {
        SpooledOccurrence(
            id: InteractionID(TimeOrderedNumber(known: number)), occurrence: .click(message, recipient, at: instant))
    }

    /// The picture of a mail, fetched.
    package static func opening(
        _ number: UInt64, _ message: MessageID, _ recipient: RecipientReference, by visitor: Visitor
    ) -> SpooledOccurrence {
        SpooledOccurrence(
            id: InteractionID(TimeOrderedNumber(known: number)),
            occurrence: Occurrence(
                kind: .messageOpened, source: .redirect, occurredAt: .noon, message: message, recipient: recipient,
                link: .message, visitor: visitor))
    }
}

extension Occurrence {
    package static func click(
        _ message: MessageID, _ recipient: RecipientReference, at instant: Timestamp = .noon
    ) -> Occurrence {
        Occurrence(
            kind: .pushLinkClicked, source: .redirect, occurredAt: instant, message: message, recipient: recipient,
            link: LinkIndex(rawValue: 1), visitor: .browserAgent)
    }

    /// Any occurrence that can be.
    package static func random(
        of messages: [MessageID], by recipients: [RecipientReference], _ random: inout SeededGenerator
    ) -> Occurrence? {
        guard let kind = InteractionKind.allCases.randomElement(using: &random),
            let source = InteractionSource.allCases.randomElement(using: &random),
            let visitor = Visitor.allCases.randomElement(using: &random),
            let message = messages.randomElement(using: &random),
            let recipient = recipients.randomElement(using: &random)
        else { return nil }
        let names = ["a", "Öffnen 🎁", String(repeating: "x", count: ActionIdentifier.maximumLength)]
        return Occurrence(
            kind: kind, source: source, occurredAt: .noon + Int64.random(in: 0..<60_000, using: &random),
            message: message, recipient: recipient,
            link: LinkIndex(rawValue: UInt16.random(in: 0...UInt16.max, using: &random)), visitor: visitor,
            action: Bool.random(using: &random)
                ? names.randomElement(using: &random).flatMap(ActionIdentifier.init) : nil)
    }
}

extension TimeOrderedNumber {
    /// A number that is known to be in range.
    package init(known number: UInt64) {
        guard let number = TimeOrderedNumber(rawValue: number) else { preconditionFailure("not a number of ours") }
        self = number
    }
}
