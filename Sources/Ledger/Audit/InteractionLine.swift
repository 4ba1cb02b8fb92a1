import ASCII
import Identifiers

/// A line of an export's interactions, as `GET /v1/orgs/{org}/interactions` writes one (docs/formats/audit-export.md).
///
/// No tree covers interactions, so this checks the form of a line and not that it is true.
struct InteractionLine {
    let message: MessageID

    /// - Returns: `nil` for bytes in any other form.
    init?(_ line: ArraySlice<UInt8>, _ instants: inout TimestampReader) {
        var scanner = JSONScanner(line)
        guard scanner.take(Text.id), let id = scanner.string(), InteractionID(canonical: id) != nil,
            scanner.take(Text.type), scanner.word() != nil,
            scanner.take(Text.occurredAt), let occurred = scanner.string(), instants.read(occurred) != nil,
            scanner.take(Text.recordedAt), let recorded = scanner.string(), instants.read(recorded) != nil,
            scanner.take(Text.recipient), let recipient = scanner.canonicalStringOrNull(),
            scanner.take(Text.message), let message = scanner.string().flatMap(MessageID.init(canonical:)),
            scanner.take(Text.link), scanner.link(),
            scanner.take(Text.action), scanner.canonicalStringOrNull() != nil,
            scanner.take(Text.source), scanner.word() != nil,
            scanner.take(Text.automated), scanner.truth(), scanner.take(Text.first), scanner.truth(),
            scanner.visitor(), scanner.take(Text.end), scanner.rest.isEmpty,
            recipient.map({ (try? RecipientID($0)) != nil }) ?? true
        else { return nil }
        self.message = message
    }

    fileprivate enum Text {
        static let id = Array(#"{"id":"#.utf8)
        static let type = Array(#","type":"#.utf8)
        static let occurredAt = Array(#","occurredAt":"#.utf8)
        static let recordedAt = Array(#","recordedAt":"#.utf8)
        static let recipient = Array(#","recipient":"#.utf8)
        static let message = Array(#","message":"#.utf8)
        static let link = Array(#","link":"#.utf8)
        static let index = Array(#"{"index":"#.utf8)
        static let url = Array(#","url":"#.utf8)
        static let label = Array(#","label":"#.utf8)
        static let action = Array(#","action":"#.utf8)
        static let source = Array(#","source":"#.utf8)
        static let automated = Array(#","automated":"#.utf8)
        static let first = Array(#","first":"#.utf8)
        static let visitor = Array(#","visitor":"#.utf8)
        static let visitorReason = Array(#","visitorReason":"#.utf8)
        static let end = Array("}".utf8)
        static let null = Array("null".utf8)
        static let yes = Array("true".utf8)
        static let no = Array("false".utf8)
    }
}

extension JSONScanner {
    /// A string of letters, digits and hyphens.
    fileprivate mutating func word() -> ArraySlice<UInt8>? {
        guard let word = string(), !word.isEmpty else { return nil }
        return word.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") } ? word : nil
    }

    fileprivate mutating func truth() -> Bool { take(InteractionLine.Text.yes) || take(InteractionLine.Text.no) }

    /// The member for the visitor, which lines of earlier versions do not have.
    fileprivate mutating func visitor() -> Bool {
        guard take(InteractionLine.Text.visitor) else { return true }
        return word() != nil && take(InteractionLine.Text.visitorReason) && word() != nil
    }

    fileprivate mutating func link() -> Bool {
        if take(InteractionLine.Text.null) { return true }
        return take(InteractionLine.Text.index) && canonicalCount() != nil && take(InteractionLine.Text.url)
            && canonicalString() != nil && take(InteractionLine.Text.label) && canonicalStringOrNull() != nil
            && take(InteractionLine.Text.end)
    }
}
