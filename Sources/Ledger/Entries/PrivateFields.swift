package import Consent
package import Identifiers
import JSON

/// The private fields of entries: canonical JSON (RFC 8785), so that they can be written in one way only.
package enum PrivateFields {
    /// The private fields of a decision.
    ///
    /// - Parameter recipient: `nil` for a decision about a recipient who was erased before.
    package static func decision(
        recipient: RecipientID?, message: MessageID, purpose: Purpose, consent: ConsentRecordID?
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 192)
        writer.object { writer in
            writer.member("consent", consent?.description)
            writer.member("message", message.description)
            writer.member("purpose", purpose.description)
            writer.member("recipient", recipient?.text)
        }
        return writer.bytes
    }

    /// The private fields of an access.
    ///
    /// - Parameter recipient: `nil` if the storage had no data about the recipient.
    package static func access(reason: AccessReason, recipient: RecipientID?) -> [UInt8] {
        var writer = JSONWriter(capacity: 192)
        writer.object { writer in
            writer.member("reason", reason.text)
            writer.member("recipient", recipient?.text)
        }
        return writer.bytes
    }

    /// The private fields of a consent record. Evidence, or a member of it, is left out if there is none.
    package static func consent(_ record: ConsentRecord, about recipient: RecipientID) -> [UInt8] {
        var writer = JSONWriter(capacity: 384)
        writer.object { writer in
            if let evidence = record.evidence {
                writer.key("evidence")
                writer.object { $0.members(of: evidence) }
            }
            writer.member("occurredAt", record.occurredAt.rfc3339)
            writer.member("purpose", record.purpose.description)
            writer.member("recipient", recipient.text)
            writer.member("state", record.state.rawValue)
            writer.member("validUntil", record.validUntil?.rfc3339)
        }
        return writer.bytes
    }
}

extension JSONWriter {
    /// In the order of RFC 8785, which is the order of the names.
    fileprivate mutating func members(of evidence: ConsentEvidence) {
        member("actor", ifPresent: evidence.actor)
        member("language", ifPresent: evidence.language)
        member("method", ifPresent: evidence.method)
        if let notice = evidence.notice {
            key("notice")
            object { writer in
                writer.member("id", ifPresent: notice.id)
                writer.member("language", ifPresent: notice.language)
                writer.member("sha256", ifPresent: notice.sha256)
                writer.member("version", ifPresent: notice.version)
            }
        }
        member("source", ifPresent: evidence.source)
    }
}
