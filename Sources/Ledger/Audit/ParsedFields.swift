import Consent
import Identifiers
import JSON

/// The private fields of a decision, exactly as ``PrivateFields`` writes them.
struct DecisionFields {
    /// `nil` for a recipient who was erased before.
    let recipient: RecipientID?
    let message: MessageID
    let purpose: Purpose
    let consent: ConsentRecordID?

    /// - Returns: `nil` for bytes in any other form.
    init?(_ fields: ArraySlice<UInt8>) {
        var scanner = JSONScanner(fields)
        guard scanner.take(Text.consent), let consent = scanner.canonicalStringOrNull(),
            scanner.take(Text.message), let message = scanner.string().flatMap(MessageID.init(canonical:)),
            scanner.take(Text.purpose), let purpose = scanner.purpose(), scanner.take(Text.recipient),
            let recipient = scanner.canonicalStringOrNull(), scanner.take(Text.end), scanner.rest.isEmpty
        else { return nil }
        self.recipient = recipient.flatMap { try? RecipientID($0) }
        self.consent = consent.flatMap { try? ConsentRecordID($0) }
        (self.message, self.purpose) = (message, purpose)
        guard (recipient == nil) == (self.recipient == nil), (consent == nil) == (self.consent == nil) else {
            return nil
        }
    }

    private enum Text {
        static let consent = Array(#"{"consent":"#.utf8)
        static let message = Array(#","message":"#.utf8)
        static let purpose = Array(#","purpose":"#.utf8)
        static let recipient = Array(#","recipient":"#.utf8)
        static let end = Array("}".utf8)
    }
}

/// The private fields of an access, exactly as ``PrivateFields`` writes them.
struct AccessFields {
    /// `nil` if the storage had no data about the recipient.
    let recipient: RecipientID?

    /// - Returns: `nil` for bytes in any other form.
    init?(_ fields: ArraySlice<UInt8>) {
        var scanner = JSONScanner(fields)
        guard scanner.take(Text.reason), let reason = scanner.canonicalString(),
            (try? AccessReason(reason))?.text.utf8.elementsEqual(reason.utf8) == true,
            scanner.take(Text.recipient), let recipient = scanner.canonicalStringOrNull(), scanner.take(Text.end),
            scanner.rest.isEmpty
        else { return nil }
        self.recipient = recipient.flatMap { try? RecipientID($0) }
        guard (recipient == nil) == (self.recipient == nil) else { return nil }
    }

    private enum Text {
        static let reason = Array(#"{"reason":"#.utf8)
        static let recipient = Array(#","recipient":"#.utf8)
        static let end = Array("}".utf8)
    }
}

/// The private fields of a consent record, exactly as ``PrivateFields`` writes them. The evidence is not stored here.
struct ConsentFields {
    let recipient: RecipientID
    let purpose: Purpose
    let state: ConsentState
    let occurredAt: Timestamp
    let validUntil: Timestamp?

    /// - Returns: `nil` for bytes in any other form.
    init?(_ fields: ArraySlice<UInt8>) {
        var scanner = JSONScanner(fields)
        if scanner.take(Text.evidence) {
            guard let evidence = scanner.object(), Self.isEvidence(evidence), scanner.take(Text.laterOccurredAt) else {
                return nil
            }
        } else {
            guard scanner.take(Text.occurredAt) else { return nil }
        }
        guard let occurredAt = scanner.string().flatMap(Timestamp.init(canonical:)),
            scanner.take(Text.purpose), let purpose = scanner.purpose(), scanner.take(Text.recipient),
            let recipient = scanner.canonicalString().flatMap({ try? RecipientID($0) }), scanner.take(Text.state),
            let state = scanner.string().flatMap({ String(validating: $0, as: UTF8.self) })
                .flatMap(ConsentState.init(rawValue:)),
            scanner.take(Text.validUntil), let end = scanner.canonicalStringOrNull(), scanner.take(Text.end),
            scanner.rest.isEmpty
        else { return nil }
        validUntil = end.flatMap { Timestamp(canonical: Array($0.utf8)[...]) }
        (self.recipient, self.purpose, self.state, self.occurredAt) = (recipient, purpose, state, occurredAt)
        guard (end == nil) == (validUntil == nil), validUntil == nil || state == .given else { return nil }
    }

    /// Whether it has only members of evidence, each a string, in their order.
    private static func isEvidence(_ object: ArraySlice<UInt8>) -> Bool {
        guard let value = try? JSONValue.parse(object), case .object(let evidence) = value,
            let canonical = try? value.canonical(), canonical.elementsEqual(object)
        else { return false }
        return evidence.members.allSatisfy { member in
            switch (member.name, member.value) {
            case ("actor", .string), ("language", .string), ("method", .string), ("source", .string): true
            case ("notice", .object(let notice)):
                notice.members.allSatisfy { member in
                    guard case .string = member.value else { return false }
                    return ["id", "language", "sha256", "version"].contains(member.name)
                }
            default: false
            }
        }
    }

    private enum Text {
        static let evidence = Array(#"{"evidence":"#.utf8)
        static let occurredAt = Array(#"{"occurredAt":"#.utf8)
        static let laterOccurredAt = Array(#","occurredAt":"#.utf8)
        static let purpose = Array(#","purpose":"#.utf8)
        static let recipient = Array(#","recipient":"#.utf8)
        static let state = Array(#","state":"#.utf8)
        static let validUntil = Array(#","validUntil":"#.utf8)
        static let end = Array("}".utf8)
    }
}

extension JSONScanner {
    fileprivate mutating func purpose() -> Purpose? {
        string().flatMap { String(validating: $0, as: UTF8.self) }.flatMap { try? Purpose($0) }
    }
}
