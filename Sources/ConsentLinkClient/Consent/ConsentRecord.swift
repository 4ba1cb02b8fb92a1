public import Foundation

/// The evidence for a consent record. Every member is text of your own.
public struct Evidence: Sendable, Hashable, Codable {
    /// The notice that the recipient was shown.
    public struct Notice: Sendable, Hashable, Codable {
        public var id: String?
        public var version: String?
        public var language: String?
        /// The SHA-256 of the notice, in hexadecimal.
        public var sha256: String?

        public init(id: String? = nil, version: String? = nil, language: String? = nil, sha256: String? = nil) {
            self.id = id
            self.version = version
            self.language = language
            self.sha256 = sha256
        }
    }

    public var method: String?
    public var source: String?
    public var notice: Notice?
    public var actor: String?
    /// The language of the page or form that the recipient used, as a tag of BCP 47.
    public var language: String?

    public init(
        method: String? = nil, source: String? = nil, notice: Notice? = nil, actor: String? = nil,
        language: String? = nil
    ) {
        self.method = method
        self.source = source
        self.notice = notice
        self.actor = actor
        self.language = language
    }
}

/// A consent record that is to be stored.
public struct NewConsent: Sendable, Hashable, Encodable {
    /// 1 to 256 bytes of UTF-8 without control characters.
    public var recipient: String
    public var state: ConsentState
    /// `nil` is `tracking`.
    public var purpose: String?
    /// `nil` is the time when it is stored. A time up to 5 minutes ahead is stored as now; a later one is refused.
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

/// How many stored things no longer name the recipient.
public struct Erasure: Sendable, Hashable, Decodable {
    public let consents: Int
    public let decisions: Int
    public let interactions: Int
}

struct RecordedConsents: Decodable {
    let consents: [RecordedConsent]
}
