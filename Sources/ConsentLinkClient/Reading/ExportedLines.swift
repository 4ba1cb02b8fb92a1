public import NIOCore

/// Everything that matches a query, streamed and decoded line by line in constant memory.
///
/// A stream that breaks off throws ``ConsentLinkError/brokenOff(reason:)`` and is not asked for again: what it would
/// have had next is not known. So does one of which nothing comes for five minutes. Pages, such as those of
/// ``OrganizationAPI/decisions(_:)``, can be resumed.
public struct ExportedLines<Element: Decodable & Sendable>: AsyncSequence, Sendable {
    let bytes: ExportedBytes

    public func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes.makeAsyncIterator()) }

    public struct Iterator: AsyncIteratorProtocol {
        private var bytes: ExportedBytes.Iterator
        private var splitter = LineSplitter()
        private var lines = LineBatch()
        private var position = 0

        init(bytes: ExportedBytes.Iterator) { self.bytes = bytes }

        public mutating func next() async throws -> Element? {
            while position == lines.count {
                guard let piece = try await bytes.next() else {
                    guard splitter.restCount == 0 else {
                        throw ConsentLinkError.brokenOff(reason: "the last line has no end")
                    }
                    return nil
                }
                do {
                    lines = try piece.withUnsafeReadableBytes { try splitter.read($0) }
                } catch {
                    throw ConsentLinkError.unexpectedAnswer("a line does not end")
                }
                position = 0
            }
            defer { position += 1 }
            let line = lines.line(at: position)
            // The last line of an answer whose key was deleted meanwhile.
            if let problem = AnsweredLine.refusal(line) { throw ConsentLinkError.refused(problem) }
            return try WireCoding.decode(Element.self, from: line)
        }
    }
}

/// The bytes of an export as they come.
public struct ExportedBytes: AsyncSequence, Sendable {
    public typealias Element = ByteBuffer

    let transport: Transport
    let request: APIRequest

    package init(transport: Transport, request: APIRequest) {
        self.transport = transport
        self.request = request
    }

    public func makeAsyncIterator() -> Iterator { Iterator(transport: transport, request: request) }

    public struct Iterator: AsyncIteratorProtocol {
        let transport: Transport
        let request: APIRequest
        private var stream: StreamIterator?

        init(transport: Transport, request: APIRequest) {
            self.transport = transport
            self.request = request
        }

        /// - Throws: ``ConsentLinkError``; once the answer has begun, ``ConsentLinkError/brokenOff(reason:)`` when it
        ///   breaks off, and when nothing comes for five minutes.
        public mutating func next() async throws -> ByteBuffer? {
            var stream = self.stream
            if stream == nil {
                stream = StreamIterator(try await transport.stream(request), silence: transport.silence)
            }
            defer { self.stream = stream }
            return try await stream?.next()
        }
    }
}
