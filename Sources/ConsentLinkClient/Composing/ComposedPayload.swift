import JSON

/// The decision that a payload or a mail rests on. ``OrganizationAPI/decision(_:)`` returns it in full.
public struct DecisionSummary: Sendable, Hashable, Decodable {
    public let id: String
    public let outcome: Outcome
    public let reason: Reason
}

/// What was decided about clicks and about opens, if a message asks consent for them separately.
public struct ApartDecisions: Sendable, Hashable, Decodable {
    /// A decision, and whether it has ended since.
    public struct Part: Sendable, Hashable, Decodable {
        public let id: String
        public let outcome: Outcome
        public let reason: Reason
        /// Why recording has ended since the decision, if a request was repeated.
        public let ended: Reason?
    }

    public let clicks: Part
    public let opens: Part
}

/// A payload for one recipient. If you send it to another recipient, their acts are recorded for the wrong person.
public struct ComposedPayload: Sendable, Hashable {
    public let recipient: String
    public let tracked: Bool
    /// The decision about clicks, if there are ``decisions``.
    public let decision: DecisionSummary
    /// Both decisions, if the message asks consent for clicks and opens separately.
    public let decisions: ApartDecisions?
    /// Why recording has ended since the decision, if a request was repeated; the links then record nothing.
    public let ended: Reason?
    /// Hand it to the carrier unchanged.
    public let payload: JSONDocument

    init(_ value: JSONValue) throws(ConsentLinkError) {
        guard let recipient = value["recipient"]?.string, let tracked = value["tracked"]?.bool,
            let decision = value["decision"], let id = decision["id"]?.string,
            let outcome = decision["outcome"]?.string, let reason = decision["reason"]?.string,
            let payload = value["payload"]
        else { throw .unexpectedAnswer("it is not a payload") }
        self.recipient = recipient
        self.tracked = tracked
        self.decision = DecisionSummary(id: id, outcome: Outcome(rawValue: outcome), reason: Reason(rawValue: reason))
        decisions = try value["decisions"].map { value throws(ConsentLinkError) in try ApartDecisions(value) }
        ended = value["ended"]?.string.map { Reason(rawValue: $0) }
        self.payload = JSONDocument(payload)
    }
}

extension ApartDecisions {
    fileprivate init(_ value: JSONValue) throws(ConsentLinkError) {
        func part(_ name: String) throws(ConsentLinkError) -> Part {
            guard let part = value[name], let id = part["id"]?.string, let outcome = part["outcome"]?.string,
                let reason = part["reason"]?.string
            else { throw .unexpectedAnswer("it is not a payload") }
            return Part(
                id: id, outcome: Outcome(rawValue: outcome), reason: Reason(rawValue: reason),
                ended: part["ended"]?.string.map { Reason(rawValue: $0) })
        }
        clicks = try part("clicks")
        opens = try part("opens")
    }
}

/// The payloads of a request, in the order of its recipients.
public struct ComposedPayloads: Sendable, Hashable {
    /// The message's id.
    public let message: String
    /// Members of the message that the format has no place for.
    public let unsupportedMembers: [String]
    public let payloads: [ComposedPayload]

    init(parsing bytes: [UInt8]) throws(ConsentLinkError) {
        guard let value = try? JSONValue.parse(answer: bytes), let message = value["message"]?.string,
            let payloads = value["payloads"]?.elements
        else { throw .unexpectedAnswer("it has no payloads") }
        self.message = message
        unsupportedMembers = (value["unsupportedMembers"]?.elements ?? []).compactMap(\.string)
        self.payloads = try payloads.map { value throws(ConsentLinkError) in try ComposedPayload(value) }
    }
}
