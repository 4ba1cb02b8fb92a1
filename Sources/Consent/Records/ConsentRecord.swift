package import Identifiers

/// What somebody recorded about a person's consent, before it is stored.
package struct NewConsentRecord: Hashable, Sendable {
    /// How far ahead of our clock another's may be: such a record counts from now, one further ahead is refused, for
    /// a fast clock must not make a grant outlast the withdrawal that follows it.
    package static let toleratedClockLeadMilliseconds: Int64 = 5 * 60 * 1000

    package let recipient: RecipientID
    package let purpose: Purpose
    package let state: ConsentState
    /// From when it counts; never later than it was recorded.
    package let occurredAt: Timestamp
    /// When a given consent ends by itself; `nil` for never. The end itself is no longer covered.
    package let validUntil: Timestamp?
    package let evidence: ConsentEvidence?

    /// - Parameters:
    ///   - occurredAt: when the person said so; `nil` for now.
    ///   - now: when it is recorded.
    package init(
        recipient: RecipientID, purpose: Purpose, state: ConsentState, occurredAt: Timestamp?, validUntil: Timestamp?,
        evidence: ConsentEvidence?, now: Timestamp
    ) throws(ConsentRecordError) {
        let claimed = occurredAt ?? now
        guard claimed <= now.advanced(byMilliseconds: Self.toleratedClockLeadMilliseconds) else { throw .inTheFuture }
        if let validUntil {
            guard !state.endsTracking else { throw .endOfWhatWasNotGiven }
            guard validUntil > claimed else { throw .endsBeforeItBegins }
        }
        self.recipient = recipient
        self.purpose = purpose
        self.state = state
        self.occurredAt = min(claimed, now)
        self.validUntil = validUntil
        self.evidence = evidence
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
