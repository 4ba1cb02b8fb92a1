import Identifiers
import Interactions

extension OccurrenceBatch {
    /// Appends the occurrences of a batch to `occurrences`; appends nothing if it throws.
    static func decode(
        _ bytes: [UInt8],
        appendingTo occurrences: inout [SpooledOccurrence]
    ) throws(UnreadableBatch) {
        guard let certainty = certainty(of: bytes.first), bytes.count > 1 else { throw UnreadableBatch() }
        let count = occurrences.count
        var reader = BatchReader(bytes: bytes, certainty: certainty, position: 1)
        while reader.position < bytes.count {
            guard let occurrence = reader.occurrence() else {
                occurrences.removeSubrange(count...)
                throw UnreadableBatch()
            }
            occurrences.append(occurrence)
        }
    }
}

/// Reads a batch from its beginning; `nil` means that the bytes do not have the format.
private struct BatchReader {
    let bytes: [UInt8]
    let certainty: SpooledOccurrence.Certainty
    var position: Int

    mutating func occurrence() -> SpooledOccurrence? {
        guard position + OccurrenceBatch.fixedLength <= bytes.count,
            let id = InteractionID(rawValue: number()), let message = MessageID(rawValue: number()),
            let recipient = RecipientReference(rawValue: number())
        else { return nil }
        let occurredAt = Timestamp(millisecondsSince1970: number())
        let link = LinkIndex(rawValue: number())
        guard let kind = InteractionKind(code: number()), let source = InteractionSource(code: number()),
            let visitor = Visitor(rawValue: number()), let action = action()
        else { return nil }
        return SpooledOccurrence(
            id: id,
            occurrence: Occurrence(
                kind: kind,
                source: source,
                occurredAt: occurredAt,
                message: message,
                recipient: recipient,
                link: link,
                visitor: visitor,
                action: action.name
            ),
            certainty: certainty
        )
    }

    private mutating func action() -> (name: ActionIdentifier?, Void)? {
        let length = Int(number() as UInt8)
        guard length > 0 else { return (nil, ()) }
        guard position + length <= bytes.count else { return nil }
        defer { position += length }
        guard let text = String(validating: bytes[position..<(position + length)], as: UTF8.self),
            let name = ActionIdentifier(text)
        else { return nil }
        return (name, ())
    }

    /// The next number. The caller must have checked that there are enough bytes.
    private mutating func number<Number: FixedWidthInteger>() -> Number {
        defer { position += MemoryLayout<Number>.size }
        return bytes[position..<(position + MemoryLayout<Number>.size)].reduce(0) {
            $0 << 8 | Number(truncatingIfNeeded: $1)
        }
    }
}
