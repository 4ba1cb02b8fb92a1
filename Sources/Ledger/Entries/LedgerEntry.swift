package import Consent
import Cryptography
package import Identifiers
import JSON

/// One entry of an organization's ledger: its public part, canonical JSON (RFC 8785).
///
///     {"at":"2026-11-21T09:00:00.000Z","commit":"q83v…","enforcement":"restrictive","id":"19aa…",
///      "outcome":"tracked","reason":"consentGiven","type":"decision","v":1}
///
/// It has no recipient, and nothing that two entries about one recipient would share. A decision about one activity has
/// it as its first member. That reveals what its message asks for, but nothing about its recipient.
package enum LedgerEntry: Equatable, Sendable {
    case decision(
        id: DecisionID, activity: TrackedActivity? = nil, reason: DecisionReason, enforcement: Enforcement,
        commit: Commitment)
    case consent(id: ConsentRecordID, recordedAt: Timestamp, commit: Commitment)
    /// A recipient was erased, with the numbers of rows that lost their recipient.
    case erasure(at: Timestamp, ErasureCounts)
    /// The organization changed its enforcement to this one.
    case enforcement(at: Timestamp, Enforcement)
    /// Retention has ended for some rows: so many interactions were removed, and so many decisions lost their
    /// recipient.
    case purge(at: Timestamp, decisions: Int, interactions: Int)
    /// A look at the data about a recipient. Who looked and at what is public; the recipient and the reason are not.
    case access(id: AccessID, who: AccessorName, what: AccessedRecords, commit: Commitment)
    /// So many recorded accesses have lost their recipient and their reason, because the recipient was erased or
    /// retention has ended.
    case accessesForgotten(at: Timestamp, accesses: Int)

    private static let version = 1

    /// The hashed bytes.
    package var json: [UInt8] {
        var writer = JSONWriter(capacity: 256)
        write(to: &writer)
        return writer.bytes
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            switch self {
            case .decision(let id, let activity, let reason, let enforcement, let commit):
                if let activity { writer.member("activity", activity.rawValue) }
                writer.member("at", id.number.timestamp.rfc3339)
                writer.member("commit", commit.text)
                writer.member("enforcement", enforcement.rawValue)
                writer.member("id", id.description)
                writer.member("outcome", reason.outcome.rawValue)
                writer.member("reason", reason.rawValue)
                writer.member("type", "decision")
            case .consent(let id, let recordedAt, let commit):
                writer.member("at", recordedAt.rfc3339)
                writer.member("commit", commit.text)
                writer.member("id", id.description)
                writer.member("type", "consent")
            case .erasure(let instant, let erasure):
                writer.member("at", instant.rfc3339)
                writer.member("consents", erasure.consents)
                writer.member("decisions", erasure.decisions)
                writer.member("interactions", erasure.interactions)
                writer.member("type", "erasure")
            case .enforcement(let instant, let enforcement):
                writer.member("at", instant.rfc3339)
                writer.member("enforcement", enforcement.rawValue)
                writer.member("type", "enforcement")
            case .purge(let instant, let decisions, let interactions):
                writer.member("at", instant.rfc3339)
                writer.member("decisions", decisions)
                writer.member("interactions", interactions)
                writer.member("type", "purge")
            case .access(let id, _, _, let commit):
                writer.member("at", id.number.timestamp.rfc3339)
                writer.member("commit", commit.text)
                writer.member("id", id.description)
                writer.member("type", "access")
            case .accessesForgotten(let instant, let accesses):
                writer.member("accesses", accesses)
                writer.member("at", instant.rfc3339)
                writer.member("type", "accessesForgotten")
            }
            writer.member("v", Self.version)
            if case .access(_, let who, let what, _) = self {
                writer.member("what", what.rawValue)
                writer.member("who", who.description)
            }
        }
    }
}

extension Commitment {
    /// In Base64.
    package var text: String { Base64.encode(bytes.span) }
}
