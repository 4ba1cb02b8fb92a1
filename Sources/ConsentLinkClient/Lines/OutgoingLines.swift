package import NIOCore

/// The body of a compose request: the order, then lines as the window lets them go.
package struct OutgoingLines: AsyncSequence, Sendable {
    /// One line, with its line feed.
    let order: [UInt8]
    let window: LineWindow
    let connection: Int

    package init(order: [UInt8], window: LineWindow, connection: Int) {
        self.order = order
        self.window = window
        self.connection = connection
    }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let lines: OutgoingLines
        private var isFirst = true

        fileprivate init(_ lines: OutgoingLines) { self.lines = lines }

        package mutating func next() async throws -> ByteBuffer? {
            if isFirst {
                isFirst = false
                return ByteBuffer(bytes: lines.order)
            }
            return try await lines.window.take(on: lines.connection).map { ByteBuffer(bytes: $0.bytes) }
        }
    }

    package func makeAsyncIterator() -> Iterator { Iterator(self) }
}
