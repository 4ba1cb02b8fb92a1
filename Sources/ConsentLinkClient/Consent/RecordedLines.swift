/// The answer to one consent of a stream.
public enum RecordedLine: Sendable {
    /// It is durable.
    case recorded(RecordedConsentLine)
    /// The record is invalid, for example without a recipient, and is not stored. The other lines are not affected.
    case refused(Problem)

    init(_ line: ArraySlice<UInt8>) {
        self = AnsweredLine.refusal(line).map { .refused($0) } ?? .recorded(RecordedConsentLine(json: line))
    }
}

/// A stored consent as a line of JSON. Its parts are read when they are asked for.
public struct RecordedConsentLine: Sendable {
    /// The object as the service sent it, in UTF-8, without a line feed.
    public let json: ArraySlice<UInt8>

    /// The record with all its parts.
    ///
    /// ```swift
    /// let id = try line.parsed().id
    /// ```
    public func parsed() throws(ConsentLinkError) -> RecordedConsent { try WireCoding.decode(from: json) }
}

/// The answers to a stream of consents, one for each and in their order.
/// ``OrganizationAPI/record(forEach:patience:)`` makes it.
///
/// When a connection breaks, or the service restarts, it continues after the last line that was answered. No answer is
/// given twice and none is left out.
public struct RecordedLines: AsyncSequence, Sendable {
    public typealias Element = RecordedLine

    let answers: LineAnswers

    /// How many connections were used until now.
    public var connections: Int { answers.record.connections }

    /// Begins to record. There is one iterator: a further one throws ``ConsentLinkError/invalidArgument(_:)``.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: answers.begin()) }

    public struct Iterator: AsyncIteratorProtocol {
        var reader: LineAnswers.Reader

        /// - Throws: ``ConsentLinkError`` if the service refuses the request, cannot be reached, or answers nothing for
        ///   too long, and ``ConsentLinkError/invalidArgument(_:)`` for a ``ConsentState/given`` without
        ///   ``NewConsent/occurredAt``; what the sequence of consents throws; `CancellationError`.
        public mutating func next() async throws -> RecordedLine? { try await reader.next().map { RecordedLine($0) } }
    }
}
