import Identifiers
import JSON

/// A row of the input: a consent record as the API accepts it, or why it is none.
struct ImportRow: Sendable {
    enum Content: Sendable {
        /// - hasTime: whether the record has a time. Otherwise its time is when it is recorded.
        case record([UInt8], hasTime: Bool)
        case refused(Fault)
    }

    struct Fault: Sendable {
        /// The reason contains nothing from the row.
        let reason: String
        /// The hash of the row's ``RowBytes``.
        let hash: [UInt8]
        /// The reason that journals up to version 2 digested in place of the row.
        let earlierReason: String

        init(_ reason: String, of bytes: RowBytes, earlier: String? = nil) {
            self.reason = reason
            hash = bytes.hash
            earlierReason = earlier ?? reason
        }
    }

    /// The lines of the file, from 1.
    let lines: ClosedRange<Int>
    let content: Content

    /// The first line.
    var line: Int { lines.lowerBound }

    /// Whether a record may count from when it is stored: it has no time, or one that may be ahead of the service's
    /// clock. Stored twice, it counts twice.
    ///
    /// - Parameter sent: when it was first sent, by the service's clock.
    func mayCountFromStoring(firstSentAt sent: Timestamp) -> Bool {
        guard case .record(let json, let hasTime) = content else { return false }
        guard hasTime, case .object(let record)? = try? JSONValue.parse(json),
            case .string(let text)? = record["occurredAt"], let time = try? Timestamp(rfc3339: text)
        else { return !hasTime }
        return time > sent - Timestamp.toleratedLead
    }
}
