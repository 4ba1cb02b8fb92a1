public import Foundation

/// Whether an activity of a recipient is recorded.
public struct Outcome: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let tracked: Outcome = "tracked"
    public static let untracked: Outcome = "untracked"
}

/// Why a recipient is tracked or not.
public struct Reason: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let consentGiven: Reason = "consentGiven"
    public static let notOptedOut: Reason = "notOptedOut"
    public static let noConsentRecord: Reason = "noConsentRecord"
    public static let consentExpired: Reason = "consentExpired"
    public static let consentRefused: Reason = "consentRefused"
    public static let consentWithdrawn: Reason = "consentWithdrawn"
    public static let consentRevoked: Reason = "consentRevoked"
    public static let consentInvalidated: Reason = "consentInvalidated"
    public static let recipientErased: Reason = "recipientErased"
    public static let trackingOffForMessage: Reason = "trackingOffForMessage"
}

/// The activity that a decision is about, if a message asks consent for clicks and opens separately.
public struct TrackedActivity: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let clicks: TrackedActivity = "clicks"
    public static let opens: TrackedActivity = "opens"
}

/// Whether a recipient was tracked in a message, and why.
public struct Decision: Sendable, Hashable, Decodable {
    public let id: String
    public let decidedAt: Date
    /// `nil` once the recipient was erased.
    public let recipient: String?
    public let message: String
    public let purpose: String
    public let outcome: Outcome
    public let reason: Reason
    public let enforcement: Enforcement
    /// The id of the consent record that the decision rests on.
    public let consent: String?
    /// `nil` for clicks and opens together.
    public let activity: TrackedActivity?
}

/// A decision with everything that explains it.
public struct DecisionInFull: Sendable, Hashable, Decodable {
    /// The rule that applied.
    public struct Policy: Sendable, Hashable, Decodable {
        public let enforcement: Enforcement
        /// The status that was in force, such as `given` or `nothing`.
        public let inForce: String?
        /// The rule in words.
        public let rule: String
    }

    public let decision: Decision
    public let policy: Policy
    public let consentRecord: ConsentRecord?
    /// The recipient's later interactions with the message, the first hundred.
    public let interactions: [Interaction]
    /// The value for ``InteractionQuery/after``, with the same recipient and message; `nil` if there are no more.
    public let next: String?
    /// The text of a C2SP tlog-proof; `nil` for decisions that are older than the ledger.
    public let proof: String?

    private enum CodingKeys: CodingKey { case policy, consentRecord, interactions, next, proof }

    public init(from decoder: any Decoder) throws {
        decision = try Decision(from: decoder)
        let members = try decoder.container(keyedBy: CodingKeys.self)
        policy = try members.decode(Policy.self, forKey: .policy)
        consentRecord = try members.decodeIfPresent(ConsentRecord.self, forKey: .consentRecord)
        interactions = try members.decode([Interaction].self, forKey: .interactions)
        next = try members.decodeIfPresent(String.self, forKey: .next)
        proof = try members.decodeIfPresent(String.self, forKey: .proof)
    }
}

/// Which decisions are asked for; `nil` is any.
public struct DecisionQuery: Sendable, Hashable, Encodable {
    public var recipient: String?
    /// The message's id.
    public var message: String?
    public var outcome: Outcome?
    public var reason: Reason?
    /// From this moment on.
    public var from: Date?
    /// Before this moment.
    public var to: Date?

    public init(
        recipient: String? = nil, message: String? = nil, outcome: Outcome? = nil, reason: Reason? = nil,
        from: Date? = nil, to: Date? = nil
    ) {
        self.recipient = recipient
        self.message = message
        self.outcome = outcome
        self.reason = reason
        self.from = from
        self.to = to
    }
}

/// A page of decisions, oldest first.
public struct DecisionPage: Sendable, Hashable, Decodable {
    public let decisions: [Decision]
    /// The cursor of the next page; `nil` on the last page.
    public let next: String?
}
