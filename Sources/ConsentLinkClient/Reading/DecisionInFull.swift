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
