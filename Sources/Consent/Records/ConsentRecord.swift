package import Identifiers

/// What is to be recorded about a recipient's consent, before it is stored.
package struct NewConsentRecord: Hashable, Sendable {
    /// How far ahead of our clock another's may be: such a record counts from now, one further ahead is refused, for
    /// a fast clock must not make a grant outlast the withdrawal that follows it.
    static let toleratedClockLead = Duration.seconds(5 * 60)

    package let recipient: RecipientID
    package let purpose: Purpose
    package let state: ConsentState
    /// From when it counts, by the service's clock; `nil` for when it is stored. See ``occurredAt(recordedAt:)``.
    let claimedAt: Timestamp?
    /// When a given consent ends by itself; `nil` for never. The end itself is no longer covered.
    package let validUntil: Timestamp?
    package let evidence: ConsentEvidence?

    /// - Parameters:
    ///   - occurredAt: when the recipient said so, by the sender's clock; `nil` for when it is recorded.
    ///   - instant: when it arrives.
    package init(
        recipient: RecipientID, purpose: Purpose, state: ConsentState, occurredAt: Timestamp?, validUntil: Timestamp?,
        evidence: ConsentEvidence?, instant: RecordingTime
    ) throws(ConsentRecordError) {
        let claimed = occurredAt ?? instant.now
        guard claimed <= instant.now.advanced(by: Self.toleratedClockLead) else {
            throw .inTheFuture
        }
        if let validUntil {
            guard !state.endsTracking else { throw .endOfWhatWasNotGiven }
            guard validUntil > claimed else { throw .endsBeforeItBegins }
        }
        self.recipient = recipient
        self.purpose = purpose
        self.state = state
        claimedAt = occurredAt.map { state.endsTracking ? Self.translating($0, by: instant.fault) : $0 }
        self.validUntil = validUntil
        self.evidence = evidence
    }

    /// From when the record counts: never later than it is recorded, so whatever is in force when a decision is stored
    /// is in force for good. A record without a time of its own counts from the moment it is recorded, so a no ends
    /// every yes that was recorded before it.
    package func occurredAt(recordedAt now: Timestamp) -> Timestamp { claimedAt.map { min($0, now) } ?? now }

    /// Whether it ends an erasure: it is a yes that has not ended by itself when it is recorded at `now`.
    package func endsErasure(recordedAt now: Timestamp) -> Bool {
        state == .given && validUntil.map { $0 > now } ?? true
    }

    /// A time of the sender's clock as a time of the service's, which was ahead by as much as the fault. Senders' clocks
    /// were right meanwhile, and what the service recorded of its own has later times: without this, a yes would outrank
    /// the no that was said after it. A yes is not translated, which errs towards no.
    private static func translating(_ claimed: Timestamp, by fault: ClockFault?) -> Timestamp {
        guard let fault, claimed >= fault.since else { return claimed }
        return claimed.advanced(by: fault.lead)
    }
}

extension NewConsentRecord {
    /// A record that arrives at `now`, while the clock is right.
    package init(
        recipient: RecipientID, purpose: Purpose, state: ConsentState, occurredAt: Timestamp?, validUntil: Timestamp?,
        evidence: ConsentEvidence?, now: Timestamp
    ) throws(ConsentRecordError) {
        try self.init(
            recipient: recipient, purpose: purpose, state: state, occurredAt: occurredAt, validUntil: validUntil,
            evidence: evidence, instant: RecordingTime(now: now))
    }
}

/// Why a consent record contradicts itself or the clock.
package enum ConsentRecordError: Error, Hashable, Sendable, CustomStringConvertible {
    case inTheFuture
    case endOfWhatWasNotGiven
    case endsBeforeItBegins

    package var description: String {
        switch self {
        case .inTheFuture: "must not be more than 5 minutes in the future"
        case .endOfWhatWasNotGiven: "can only be set where the state is given"
        case .endsBeforeItBegins: "must be later than occurredAt"
        }
    }
}

/// A stored consent record. Records are appended and never changed; what is in force is derived from them.
package struct ConsentRecord: Hashable, Sendable {
    package let id: ConsentRecordID
    package let purpose: Purpose
    package let state: ConsentState
    package let occurredAt: Timestamp
    package let recordedAt: Timestamp
    package let validUntil: Timestamp?
    package let evidence: ConsentEvidence?

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
        self.evidence = evidence
    }
}
