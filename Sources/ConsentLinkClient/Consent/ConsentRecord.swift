public import Foundation

/// A consent record, whole.
public struct ConsentRecord: Sendable, Hashable, Decodable {
    public let id: String
    /// `nil` once the recipient was erased.
    public let recipient: String?
    public let purpose: String
    public let state: ConsentState
    public let occurredAt: Date
    public let recordedAt: Date
    public let validUntil: Date?
    public let evidence: Evidence?
}

/// The consent in force for a purpose.
public struct CurrentConsent: Sendable, Hashable, Decodable {
    public let purpose: String
    public let state: ConsentState
    public let since: Date
    public let validUntil: Date?
    /// The id of the record.
    public let consent: String
}

/// The consent in force for a recipient, and all their records. Both are empty for an unknown recipient.
public struct ConsentOfRecipient: Sendable, Hashable, Decodable {
    public let recipient: String
    public let current: [CurrentConsent]
    public let history: [ConsentRecord]
}
