package import NIOCore

/// The body of a request of lines: the order, if there is one, then lines as the window lets them go.
package struct OutgoingLines: AsyncSequence, Sendable {
    /// One line, with its line feed, or nothing.
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
                if !lines.order.isEmpty { return ByteBuffer(bytes: lines.order) }
            }
            return try await lines.window.take(on: lines.connection).map { ByteBuffer(bytes: $0.bytes) }
        }
    }

    package func makeAsyncIterator() -> Iterator { Iterator(self) }
}
