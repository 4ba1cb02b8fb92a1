/// The answers to a stream of mails, one for each and in their order. ``OrganizationAPI/rewrite(_:forEach:patience:)``
/// makes it.
///
/// When a connection breaks, or the service restarts, it continues after the last line that was answered. No mail is
/// given twice and none is left out. The service is never more than a thousand mails ahead of the task that reads: so
/// many decisions can be lost when the connection breaks, or when the reader stops.
public struct RewrittenLines: AsyncSequence, Sendable {
    public typealias Element = RewrittenLine

    let answers: LineAnswers

    /// How many connections were used until now.
    public var connections: Int { answers.record.connections }

    /// Begins to rewrite. There is one iterator: a further one throws ``ConsentLinkError/invalidArgument(_:)``.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: answers.begin()) }

    public struct Iterator: AsyncIteratorProtocol {
        var reader: LineAnswers.Reader

        /// - Throws: ``ConsentLinkError`` if the service refuses the order, cannot be reached, or answers nothing for
        ///   too long; what the mails' sequence throws; `CancellationError`.
        public mutating func next() async throws -> RewrittenLine? { try await reader.next().map { RewrittenLine($0) } }
    }
}
