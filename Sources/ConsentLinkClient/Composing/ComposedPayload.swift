import JSON

/// The decision that a payload or a mail rests on. ``OrganizationAPI/decision(_:)`` has the whole of it.
public struct DecisionSummary: Sendable, Hashable, Decodable {
    public let id: String
    public let outcome: Outcome
    public let reason: Reason
}

/// A payload for one recipient. Sent to somebody else, it records the wrong person.
public struct ComposedPayload: Sendable, Hashable {
    public let recipient: String
    public let tracked: Bool
    public let decision: DecisionSummary
    /// Why the recipient's recording has ended by now, where a request was repeated; its links then record nothing.
    public let ended: Reason?
    /// Hand it to the carrier unchanged.
    public let payload: JSONDocument

    init(_ value: JSONValue) throws(ConsentLinkError) {
        guard let recipient = value["recipient"]?.string, let tracked = value["tracked"]?.bool,
            let decision = value["decision"], let id = decision["id"]?.string,
            let outcome = decision["outcome"]?.string, let reason = decision["reason"]?.string,
            let payload = value["payload"]
        else { throw .unexpectedAnswer("it is no payload") }
        self.recipient = recipient
        self.tracked = tracked
        self.decision = DecisionSummary(id: id, outcome: Outcome(rawValue: outcome), reason: Reason(rawValue: reason))
        ended = value["ended"]?.string.map { Reason(rawValue: $0) }
        self.payload = JSONDocument(payload)
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
        guard let value = try? JSONValue.parse(bytes), let message = value["message"]?.string,
            let payloads = value["payloads"]?.elements
        else { throw .unexpectedAnswer("it has no payloads") }
        self.message = message
        unsupportedMembers = (value["unsupportedMembers"]?.elements ?? []).compactMap(\.string)
        self.payloads = try payloads.map { value throws(ConsentLinkError) in try ComposedPayload(value) }
    }
}
