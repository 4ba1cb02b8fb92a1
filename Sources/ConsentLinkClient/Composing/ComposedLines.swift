/// The answers to a stream of recipients, one for each and in their order.
/// ``OrganizationAPI/compose(_:forEach:patience:)`` makes it.
///
/// When a connection breaks, or the service restarts, it continues after the last line that was answered. No line is
/// given twice and none is left out. The service is never more than a thousand recipients ahead of the task that reads:
/// so many decisions can be lost when the connection breaks, or when the reader stops.
public struct ComposedLines: AsyncSequence, Sendable {
    public typealias Element = ComposedLine

    let answers: LineAnswers

    /// The message's id, once the service has taken the order.
    public var message: String? { answers.record.order?.message }
    /// Members of the message that the format has no place for, once the service has taken the order.
    public var unsupportedMembers: [String] { answers.record.order?.unsupportedMembers ?? [] }
    /// How many connections were used until now.
    public var connections: Int { answers.record.connections }

    /// Begins to compose. There is one iterator: a further one throws ``ConsentLinkError/invalidArgument(_:)``.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: answers.begin()) }

    public struct Iterator: AsyncIteratorProtocol {
        var reader: LineAnswers.Reader

        /// - Throws: ``ConsentLinkError`` if the service refuses the order, cannot be reached, or answers nothing for
        ///   too long; what the recipients' sequence throws; `CancellationError`.
        public mutating func next() async throws -> ComposedLine? { try await reader.next().map { ComposedLine($0) } }
    }
}
