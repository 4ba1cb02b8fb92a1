import NIOCore

/// The body of a request of lines: the order, if there is one, then lines as the window releases them.
///
/// It does not hold the window. AsyncHTTPClient 1.37 writes a body in a task of its own. That task waits for ever if an
/// answer with a status of 300 or more ends while the connection accepts no more bytes. The exchange holds the window,
/// so such a task keeps only the lines that it took last.
struct OutgoingLines: AsyncSequence, Sendable {
    /// One line, with its line feed, or nothing.
    let order: [UInt8]
    weak let window: LineWindow?
    let connection: Int

    init(order: [UInt8], window: LineWindow, connection: Int) {
        self.order = order
        self.window = window
        self.connection = connection
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let lines: OutgoingLines
        private var isFirst = true

        fileprivate init(_ lines: OutgoingLines) { self.lines = lines }

        /// - Throws: `CancellationError` if the connection was given up, or the exchange has ended.
        mutating func next() async throws -> ByteBuffer? {
            if isFirst {
                isFirst = false
                if !lines.order.isEmpty { return ByteBuffer(bytes: lines.order) }
            }
            guard let window = lines.window else { throw CancellationError() }
            return try await window.take(on: lines.connection).map { ByteBuffer(bytes: $0.bytes) }
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(self) }
}
