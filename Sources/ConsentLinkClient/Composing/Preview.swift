import JSON

/// What would be decided about clicks and about opens, if a message asks consent for them separately.
public struct PreviewedApartDecisions: Sendable, Hashable {
    /// What would be decided about one activity.
    public struct Part: Sendable, Hashable {
        public let outcome: Outcome
        public let reason: Reason
    }

    public let clicks: Part
    public let opens: Part
}

/// What a recipient would get now. Show it, but do not send it: it has placeholders (`preview000…`) in place of
/// tracking IDs, and no decision is stored.
public struct PreviewedPayload: Sendable, Hashable {
    public let recipient: String
    public let tracked: Bool
    /// The outcome for clicks, if there are ``decisions``; ``reason`` is then for clicks, too.
    public let outcome: Outcome
    /// Why the recipient would be tracked or not.
    public let reason: Reason
    /// Both, if the message asks consent for clicks and opens separately.
    public let decisions: PreviewedApartDecisions?
    public let payload: JSONDocument

    init(_ value: JSONValue) throws(ConsentLinkError) {
        guard let recipient = value["recipient"]?.string, let tracked = value["tracked"]?.bool,
            let decision = value["decision"], let outcome = decision["outcome"]?.string,
            let reason = decision["reason"]?.string, let payload = value["payload"]
        else { throw .unexpectedAnswer("it is not a preview") }
        // A service that does not know previews would compose a payload.
        guard decision["id"]?.string == nil else { throw .unexpectedAnswer("it is a payload and no preview") }
        self.recipient = recipient
        self.tracked = tracked
        self.outcome = Outcome(rawValue: outcome)
        self.reason = Reason(rawValue: reason)
        decisions = try value["decisions"].map { value throws(ConsentLinkError) in try PreviewedApartDecisions(value) }
        self.payload = JSONDocument(payload)
    }
}

extension PreviewedApartDecisions {
    fileprivate init(_ value: JSONValue) throws(ConsentLinkError) {
        func part(_ name: String) throws(ConsentLinkError) -> Part {
            guard let part = value[name], let outcome = part["outcome"]?.string, let reason = part["reason"]?.string
            else { throw .unexpectedAnswer("it is not a preview") }
            guard part["id"]?.string == nil else { throw .unexpectedAnswer("it is a payload and no preview") }
            return Part(outcome: Outcome(rawValue: outcome), reason: Reason(rawValue: reason))
        }
        clicks = try part("clicks")
        opens = try part("opens")
    }
}

/// The previews of a request, in the order of its recipients.
public struct PreviewedPayloads: Sendable, Hashable {
    /// The message's id; `nil` where the message is not stored.
    public let message: String?
    /// Members of the message that the format has no place for.
    public let unsupportedMembers: [String]
    public let payloads: [PreviewedPayload]

    init(parsing bytes: [UInt8]) throws(ConsentLinkError) {
        guard let value = try? JSONValue.parse(answer: bytes), let payloads = value["payloads"]?.elements else {
            throw .unexpectedAnswer("it has no previews")
        }
        message = value["message"]?.string
        unsupportedMembers = (value["unsupportedMembers"]?.elements ?? []).compactMap(\.string)
        self.payloads = try payloads.map { value throws(ConsentLinkError) in try PreviewedPayload(value) }
    }
}

/// The answer to one recipient of a stream of previews.
public enum PreviewedLine: Sendable, Hashable {
    case payload(PreviewedPayload)
    /// No preview can be made for the recipient, for example because it is empty. The other lines are not affected.
    case refused(Problem)

    init(_ line: ArraySlice<UInt8>) throws(ConsentLinkError) {
        if let problem = AnsweredLine.refusal(line) {
            self = .refused(problem)
        } else {
            guard let value = try? JSONValue.parse(answer: line) else { throw .unexpectedAnswer("it is not a preview") }
            self = .payload(try PreviewedPayload(value))
        }
    }
}

/// The previews for a stream of recipients, one for each and in their order, over broken connections too.
/// ``OrganizationAPI/preview(_:forEach:patience:)`` makes it.
public struct PreviewedLines: AsyncSequence, Sendable {
    public typealias Element = PreviewedLine

    let answers: LineAnswers

    /// Members of the message that the format has no place for, once the service has taken the order.
    public var unsupportedMembers: [String] { answers.record.order?.unsupportedMembers ?? [] }

    /// Begins to request previews. There is one iterator: a further one throws
    /// ``ConsentLinkError/invalidArgument(_:)``.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: answers.begin()) }

    public struct Iterator: AsyncIteratorProtocol {
        var reader: LineAnswers.Reader

        /// - Throws: as the iterator of ``ComposedLines``.
        public mutating func next() async throws -> PreviewedLine? {
            guard let line = try await reader.next() else { return nil }
            return try PreviewedLine(line)
        }
    }
}
