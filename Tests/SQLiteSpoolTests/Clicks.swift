import Identifiers
import Interactions
import StorageContracts
import TestSupport
import Testing

/// Clicks of one person on one message, all at noon.
func clicks(_ count: Int) throws -> [Occurrence] {
    let click = Occurrence(
        kind: .pushLinkClicked, source: .redirect, occurredAt: .noon,
        message: MessageID(TimeOrderedNumber(known: 1 << 50)),
        recipient: try #require(RecipientReference(rawValue: 1)), link: .message, visitor: .browserAgent)
    return Array(repeating: click, count: count)
}
