package import Identifiers

/// A consent record that is to be stored.
package struct NewConsentRecord: Hashable, Sendable {
    /// How far the sender's clock may be ahead of the service's. Such a record counts from the time of storing. A
    /// record that is further ahead is refused, because otherwise a grant by a fast clock would outlast the withdrawal
    /// after it.
    static let toleratedClockLeadInMinutes = 5

    package let recipient: RecipientID
    package let purpose: Purpose
    package let state: ConsentState
    /// The time from which on it counts, by the service's clock; `nil` for the time of storing. See
    /// ``occurredAt(recordedAt:)``. It may be later than that by the tolerated lead of the sender's clock.
    package let claimedAt: Timestamp?
    /// The time at which a given consent ends by itself, exclusive; `nil` for never.
    package let validUntil: Timestamp?
    private let boxedEvidence: Boxed<ConsentEvidence>?

    package var evidence: ConsentEvidence? { boxedEvidence?.value }

    /// - Parameters:
    ///   - occurredAt: the time of the recipient's answer, by the sender's clock; `nil` for the time of storing.
    ///   - instant: the time at which the record arrives.
    package init(
        recipient: RecipientID, purpose: Purpose, state: ConsentState, occurredAt: Timestamp?, validUntil: Timestamp?,
        evidence: ConsentEvidence?, instant: RecordingTime
    ) throws(ConsentRecordError) {
        let claimed = occurredAt ?? instant.now
        guard claimed <= instant.now.advanced(by: .minutes(Self.toleratedClockLeadInMinutes)) else {
            throw .inTheFuture
        }
        if let validUntil {
            guard !state.endsTracking else { throw .validUntilWithoutGrant }
            guard validUntil > claimed else { throw .endsBeforeItBegins }
        }
        self.recipient = recipient
        self.purpose = purpose
        self.state = state
        claimedAt = occurredAt.map { state.endsTracking ? Self.translating($0, by: instant.faults) : $0 }
        self.validUntil = validUntil
        boxedEvidence = evidence.map(Boxed.value)
    }

    /// The time from which on the record counts. It is never later than the time of storing, so the record in force
    /// when a decision is stored stays the one for that time. A record without a time counts from when it is stored, so
    /// a no ends every yes that was stored before it.
    package func occurredAt(recordedAt now: Timestamp) -> Timestamp { claimedAt.map { min($0, now) } ?? now }

    /// Whether it ends an erasure: it is a grant that has not ended by itself when it is stored at `now`.
    package func endsErasure(recordedAt now: Timestamp) -> Bool {
        state == .given && validUntil.map { $0 > now } ?? true
    }

    /// Converts a time of the sender's clock to the service's clock, which was ahead in a fault. The senders' clocks
    /// were right meanwhile, and the service's own records have later times: without this, a yes would outrank a no
    /// that was said after it, however late the no is reported. A yes is not converted, which errs towards no.
    private static func translating(_ claimed: Timestamp, by faults: ClockFaults) -> Timestamp {
        faults.lead(at: claimed).map { claimed.advanced(by: $0) } ?? claimed
    }
}

extension NewConsentRecord {
    /// A record that arrives at `now`, while the service's clock is right.
    package init(
        recipient: RecipientID, purpose: Purpose, state: ConsentState, occurredAt: Timestamp?, validUntil: Timestamp?,
        evidence: ConsentEvidence?, now: Timestamp
    ) throws(ConsentRecordError) {
        try self.init(
            recipient: recipient, purpose: purpose, state: state, occurredAt: occurredAt, validUntil: validUntil,
            evidence: evidence, instant: RecordingTime(now: now))
    }
}

/// Why a consent record is inconsistent in itself or with the clock.
package enum ConsentRecordError: Error, Hashable, Sendable, CustomStringConvertible {
    case inTheFuture
    case validUntilWithoutGrant
    case endsBeforeItBegins

    package var description: String {
        switch self {
        case .inTheFuture:
            "must not be more than \(NewConsentRecord.toleratedClockLeadInMinutes) minutes in the future"
        case .validUntilWithoutGrant: "can only be set where the state is given"
        case .endsBeforeItBegins: "must be later than occurredAt"
        }
    }
}

/// A stored consent record. Records are appended and never changed; the record in force is derived from them.
package struct ConsentRecord: Hashable, Sendable {
    package let id: ConsentRecordID
    package let purpose: Purpose
    package let state: ConsentState
    package let occurredAt: Timestamp
    package let recordedAt: Timestamp
    package let validUntil: Timestamp?
    private let boxedEvidence: Boxed<ConsentEvidence>?

    package var evidence: ConsentEvidence? { boxedEvidence?.value }

    package init(
        id: ConsentRecordID, purpose: Purpose, state: ConsentState, occurredAt: Timestamp, recordedAt: Timestamp,
        validUntil: Timestamp?, evidence: ConsentEvidence?
    ) {
        self.id = id
        self.purpose = purpose
        self.state = state
        self.occurredAt = occurredAt
        self.recordedAt = recordedAt
        self.validUntil = validUntil
        boxedEvidence = evidence.map(Boxed.value)
    }
}
