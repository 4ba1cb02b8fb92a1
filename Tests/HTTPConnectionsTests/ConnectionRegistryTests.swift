import Counting
import NIOEmbedded
import Testing

@testable import HTTPConnections

@Suite struct ConnectionRegistryTests {
    private final class Connection: RegisteredConnection {
        let number: Int
        let addedAt = 0
        let lastAnswer: Int?
        let isMidRequest = false
        let isOwed: Bool
        private(set) var isClosed = false

        init(number: Int, lastAnswer: Int?, isOwed: Bool) {
            self.number = number
            self.lastAnswer = lastAnswer
            self.isOwed = isOwed
        }

        func hasExceeded(_: ConnectionTimeout) -> Bool { false }
        func quiesce() {}
        func close() { isClosed = true }
    }

    private let refused = CaseCounters<RefusedConnection>()

    /// Adds the connections, of which the listener may have as many as are given, and one more.
    /// - Returns: which were closed, by their number.
    private func crowd(_ connections: [Connection]) -> [Int] {
        let registry = ConnectionRegistry(
            loop: EmbeddedEventLoop(), limit: ConnectionLimit(connections.count + 1), timeout: .short, refused: refused)
        for connection in connections { registry.add(connection) }
        registry.add(Connection(number: connections.count, lastAnswer: nil, isOwed: false))
        return connections.filter(\.isClosed).map(\.number)
    }

    @Test("a connection that is owed an answer is never closed to make room, however long it has been silent")
    func owed() {
        let owed = (0..<8).map { Connection(number: $0, lastAnswer: nil, isOwed: true) }
        let answered = (8..<16).map { Connection(number: $0, lastAnswer: $0, isOwed: false) }
        // Of those that are not owed, the one that has gone longest without an answer.
        #expect(crowd(owed + answered) == [8])
        #expect(refused[.crowded] == 1)
    }

    @Test("where every connection is owed an answer, none is closed")
    func allOwed() {
        let owed = (0..<16).map { Connection(number: $0, lastAnswer: $0, isOwed: true) }
        #expect(crowd(owed).isEmpty)
        #expect(refused[.crowded] == 0)
    }

    @Test("once all connections were closed, one that comes later is closed, too")
    func closed() {
        let loop = EmbeddedEventLoop()
        let registry = ConnectionRegistry(loop: loop, limit: ConnectionLimit(8), timeout: .short, refused: refused)
        let connections = [true, false].map { Connection(number: 0, lastAnswer: nil, isOwed: $0) }
        registry.add(connections[0])
        registry.closeAll()
        #expect(connections[0].isClosed, "an answer that is owed is not waited for")
        registry.add(connections[1])
        loop.run()
        #expect(connections[1].isClosed)
    }
}
