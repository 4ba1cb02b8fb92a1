public import NIOCore

/// Everything that matches a query, streamed and decoded line by line in constant memory.
///
/// A stream that breaks off, or on which nothing arrives for five minutes, throws
/// ``ConsentLinkError/brokenOff(reason:)``. It is not retried, because its next item is not known. Pages, such as those
/// of ``OrganizationAPI/decisions(_:)``, can be resumed.
public struct ExportedLines<Element: Decodable & Sendable>: AsyncSequence, Sendable {
    let bytes: ExportedBytes

    public func makeAsyncIterator() -> Iterator {
        Iterator(batches: ExportedLineBatches(bytes: bytes).makeAsyncIterator())
    }

    public struct Iterator: AsyncIteratorProtocol {
        private var batches: ExportedLineBatches.Iterator
        private var lines = LineBatch()
        private var position = 0

        init(batches: ExportedLineBatches.Iterator) { self.batches = batches }

        public mutating func next() async throws -> Element? {
            if position == lines.count {
                guard let more = try await batches.next() else { return nil }
                (lines, position) = (more, 0)
            }
            defer { position += 1 }
            return try WireCoding.decode(Element.self, from: lines.line(at: position))
        }
    }
}

/// The bytes of an export as they arrive.
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

        /// - Throws: ``ConsentLinkError``; once the answer has begun, ``ConsentLinkError/brokenOff(reason:)`` if it
        ///   breaks off, or if nothing arrives for five minutes.
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
