package import Identifiers

/// The part of a consent record that decisions need: its id, its state, and its times.
package struct ConsentInForce: Hashable, Sendable {
    package let record: ConsentRecordID
    package let state: ConsentState
    package let occurredAt: Timestamp
    package let validUntil: Timestamp?

    package init(record: ConsentRecordID, state: ConsentState, occurredAt: Timestamp, validUntil: Timestamp?) {
        self.record = record
        self.state = state
        self.occurredAt = occurredAt
        self.validUntil = validUntil
    }

    /// Whether a given consent has ended by itself at `instant`.
    package func isExpired(at instant: Timestamp) -> Bool {
        state == .given && validUntil.map { $0 <= instant } ?? false
    }

    /// Whether this record takes precedence over another one for the same recipient and purpose: the later one does; at
    /// the same instant the one that ends tracking; then the one that was recorded later.
    package func outranks(_ other: ConsentInForce) -> Bool {
        if occurredAt != other.occurredAt { return occurredAt > other.occurredAt }
        if state.endsTracking != other.state.endsTracking { return state.endsTracking }
        return record > other.record
    }

    /// The record of `records` that is in force at `instant`. All must be about one recipient and purpose.
    package static func inForce(among records: some Sequence<ConsentInForce>, at instant: Timestamp) -> ConsentInForce?
    {
        var best: ConsentInForce?
        for record in records where record.occurredAt <= instant {
            if best.map(record.outranks) ?? true { best = record }
        }
        return best
    }
}

extension ConsentRecord {
    package var inForce: ConsentInForce {
        ConsentInForce(record: id, state: state, occurredAt: occurredAt, validUntil: validUntil)
    }
}

/// The consent of one recipient to one purpose at one time.
package enum ConsentStatus: Hashable, Sendable {
    case nothing
    case inForce(ConsentInForce)
    /// Erased on request, with no grant since. Must not be treated as a new recipient.
    case erased

    /// Whether the recipient has said no, or was erased.
    package var endsTracking: Bool {
        switch self {
        case .nothing: false
        case .inForce(let consent): consent.state.endsTracking
        case .erased: true
        }
    }
}
