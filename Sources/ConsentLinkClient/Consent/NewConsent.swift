public import Foundation

/// A consent record that is to be stored.
public struct NewConsent: Sendable, Hashable, Encodable {
    /// 1 to 256 bytes of UTF-8 without control characters.
    public var recipient: String
    public var state: ConsentState
    /// `nil` is `tracking`.
    public var purpose: String?
    /// `nil` is the time when it is stored. A time up to 5 minutes ahead is stored as now; a later one is refused. A
    /// ``ConsentState/given`` with such a time that arrives again within a day is stored with the time of the first.
    public var occurredAt: Date?
    /// Only for ``ConsentState/given``.
    public var validUntil: Date?
    public var evidence: Evidence?

    public init(
        recipient: String, state: ConsentState, purpose: String? = nil, occurredAt: Date? = nil,
        validUntil: Date? = nil, evidence: Evidence? = nil
    ) {
        self.recipient = recipient
        self.state = state
        self.purpose = purpose
        self.occurredAt = occurredAt
        self.validUntil = validUntil
        self.evidence = evidence
    }
}

/// A consent record that was stored.
public struct RecordedConsent: Sendable, Hashable, Decodable {
    public let id: String
    public let recipient: String
    public let purpose: String
    public let state: ConsentState
    public let occurredAt: Date
    public let recordedAt: Date
}

struct RecordedConsents: Decodable {
    let consents: [RecordedConsent]
}
